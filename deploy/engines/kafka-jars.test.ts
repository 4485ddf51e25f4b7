import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkJars } from './kafka-jars.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const folder = temporaryFolder();
const expected = new Map([['a.jar', createHash('sha256').update('content').digest('hex')]]);

async function jars(files: Record<string, string>): Promise<string> {
  const path = join(folder(), Object.entries(files).flat().join('-') || 'none');
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

describe('the jars of Kafka', () => {
  it('are taken when they are the pinned ones', async () => {
    await checkJars(await jars({ 'a.jar': 'content' }), expected);
  });

  it('are refused when one is missing, unknown or altered', async () => {
    await expect(checkJars(await jars({}), expected)).rejects.toThrow('a.jar is missing');
    await expect(checkJars(await jars({ 'a.jar': 'altered' }), expected)).rejects.toThrow(
      'a.jar has the wrong checksum',
    );
    await expect(checkJars(await jars({ 'a.jar': 'content', 'b.jar': '' }), expected)).rejects.toThrow(
      'b.jar is unexpected',
    );
  });
});
