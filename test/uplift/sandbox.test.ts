import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { missingForSandbox, runInSandbox, strangerId } from './sandbox.js';
import { sandboxParent } from './worlds/shell.js';

const lacks = await missingForSandbox(sandboxParent());

if (lacks !== undefined) {
  describe('the sandbox', () => {
    it('says what it lacks here', () => expect(lacks).toContain('bubblewrap'));
  });
} else {
  describe('the sandbox', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(sandboxParent(), 'whetstone-sandbox-'));
      if (process.getuid?.() === 0) await chown(folder, strangerId, strangerId);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const run = (command: string) => runInSandbox(folder, command);

    it('lets a command work in its folder', async () => {
      expect(await run('echo hello > a.txt && cat a.txt')).toMatchObject({ code: 0, stdout: 'hello\n' });
      expect(await readdir(folder)).toEqual(['a.txt']);
    });

    it('lets it write nowhere else, nor see our files and variables', async () => {
      for (const place of ['/usr/x', '/etc/x', '/proc/sys/kernel/hostname', '/usr/bin/bash']) {
        expect((await run(`echo x > ${place}`)).code).not.toBe(0);
      }
      await run('echo x > /tmp/whetstone-sandbox-was-here');
      expect(await readdir('/tmp')).not.toContain('whetstone-sandbox-was-here');
      expect((await run(`ls ${process.cwd()}`)).code).not.toBe(0);
      expect((await run('env')).stdout).not.toContain('NODE_ENV');
    });

    it('has no network', async () => {
      const server = createServer((socket) => socket.end('inside\n')).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      const { code, stdout } = await run(`cat < /dev/tcp/127.0.0.1/${port}`);
      server.close();
      expect(code).not.toBe(0);
      expect(stdout).toBe('');
      expect((await run('cat /proc/net/dev')).stdout).not.toMatch(/eth|en[ops]\d/);
    });

    it('ends what does not end, and what multiplies', async () => {
      expect((await run('sleep 60')).code).toBe(null);
      expect((await run('for i in $(seq 200); do sleep 3 & done; wait')).stderr).toMatch(/fork|Resource/);
    });
  });
}
