import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test file; call inside `describe` or at the top. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-dev-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
