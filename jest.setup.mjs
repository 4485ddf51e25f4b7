import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';

const memory = '/dev/shm';
const neededBytes = 2 ** 31;

/** Puts the files of unit tests into memory if there is room: otherwise they mostly wait for a disk to flush. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default function setUp() {
  if (!existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return;
  const folder = mkdtempSync(`${memory}/whetstone-`);
  process.env['TMPDIR'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
