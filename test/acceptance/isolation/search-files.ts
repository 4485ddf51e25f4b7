import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInflateRaw, inflateRawSync } from 'node:zlib';

export interface Finding {
  path: string;
  needle: string;
  where: 'name' | 'content' | 'gzipped content';
}

/**
 * Looks for texts in everything below some folders and files: in names, in bytes whatever the file's format, and in whatever
 * is gzipped inside a file. Finds UTF-8 and UTF-16 alike.
 */
export async function searchFiles(roots: readonly string[], needles: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of (await Promise.all(roots.map(filesBelow))).flat()) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    const unpacked = await gzippedParts(bytes);
    for (const needle of needles) {
      if (path.includes(needle)) findings.push({ path, needle, where: 'name' });
      if (contains(bytes, needle)) findings.push({ path, needle, where: 'content' });
      else if (unpacked.some((part) => contains(part, needle)))
        findings.push({ path, needle, where: 'gzipped content' });
    }
  }
  return findings;
}

/** The lines that contain a text, of all files below some folders and files. */
export async function linesWith(roots: readonly string[], text: string): Promise<string[]> {
  const paths = (await Promise.all(roots.map(filesBelow))).flat();
  const files = await Promise.all(paths.map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  const lines = files.filter((bytes) => bytes.includes(text)).flatMap((bytes) => bytes.toString('utf8').split('\n'));
  return lines.filter((line) => line.includes(text));
}

async function filesBelow(root: string): Promise<string[]> {
  if (!(await stat(root)).isDirectory()) return [root];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function contains(bytes: Buffer, needle: string): boolean {
  return bytes.includes(needle) || bytes.includes(Buffer.from(needle, 'utf16le'));
}

const gzipHead = Buffer.from([0x1f, 0x8b, 0x08, 0x00]);
const gzipHeadBytes = 10;
/** Of a stream this much is read: what a database keeps in one page, and more. */
const longestPart = 16 * 1024;

/** Every gzip stream inside a file, as far as it can be read: a database may have put the rest of it elsewhere. */
async function gzippedParts(bytes: Buffer): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(gzipHead); at >= 0; at = bytes.indexOf(gzipHead, at + 1)) {
    parts.push(await inflated(bytes.subarray(at + gzipHeadBytes, at + gzipHeadBytes + longestPart)));
  }
  return parts;
}

async function inflated(bytes: Buffer): Promise<Buffer> {
  try {
    return inflateRawSync(bytes);
  } catch {
    return inflatedUntilItBreaks(bytes);
  }
}

/** Small chunks, because those that were not full yet are lost when the stream breaks. */
function inflatedUntilItBreaks(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const inflate = createInflateRaw({ chunkSize: 256 });
    const chunks: Buffer[] = [];
    const finish = () => resolve(Buffer.concat(chunks));
    inflate.on('data', (chunk: Buffer) => chunks.push(chunk));
    inflate.once('end', finish);
    inflate.once('error', finish);
    inflate.end(bytes);
  });
}
