import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { nameOfRemote } from '../coding-agents/collection-name.js';
import { type Outcome, runCommand } from '../test-kit/installation.js';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'whetstone-home-'));
});
afterEach(() => rm(home, { recursive: true }));

const key = 'wst_test';
const run = (...argv: string[]): Promise<Outcome> =>
  runCommand(argv, { HOME: home, PWD: home, WHETSTONE_KEY: key, WHETSTONE_URL: 'http://127.0.0.1:1' });
const settingsOf = { 'claude-code': '.claude/settings.json', codex: '.codex/hooks.json', cursor: '.cursor/mcp.json' };
const agents = Object.entries(settingsOf);

async function write(name: string, text: string): Promise<string> {
  const path = join(home, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe.each(agents)('connect %s', (agent, name) => {
  const others =
    '{\r\n\t"theirs": [1,  2.0],\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\r\n}';

  it.each([
    ['an ordinary file', '{\n  "model": "small",\n  "permissions": {"allow": ["a", "b"]}\n}\n'],
    ['a file with odd layout and other hooks', others],
    ['a file with a comment', '{\n  // mine\n  "a": 1,\n}\n'],
    ['an empty file', ''],
  ])('changes %s, keeps the rest, and undoes it to the byte', async (_, before) => {
    const path = await write(name, before);

    expect(await run('connect', agent, '--yes')).toMatchObject({ code: 0 });
    const after = await readFile(path, 'utf8');
    expect(after).toContain('whetstone');
    for (const part of ['2.0', '"command": "true"', '"model": "small"', '// mine', '\r\n']) {
      expect(after.includes(part)).toBe(before.includes(part));
    }
    expect(await readFile(`${path}.before-whetstone`, 'utf8')).toBe(before);

    expect(await run('connect', agent, '--yes', '--undo')).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await readdir(dirname(path))).toHaveLength(1);
  });

  it('creates the file and removes it', async () => {
    const { stderr } = await run('connect', agent, '--yes');
    expect(stderr).toContain('--- no file');

    await run('connect', agent, '--yes', '--undo');
    expect(await readdir(join(home, dirname(name)))).toEqual([]);
  });

  it('changes nothing the second time', async () => {
    await run('connect', agent, '--yes');
    const path = join(home, name);
    const once = await readFile(path, 'utf8');

    expect((await run('connect', agent, '--yes')).stdout).toContain('already connected');
    expect(await readFile(path, 'utf8')).toBe(once);
  });

  it('takes out only its own entries if the file was edited since', async () => {
    const path = await write(name, others);
    await run('connect', agent, '--yes');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"theirs"', '"edited"'));

    await run('connect', agent, '--yes', '--undo');
    const left = await readFile(path, 'utf8');
    expect(JSON.parse(left)).toEqual(JSON.parse(others.replace('"theirs"', '"edited"')));
  });

  it.each([
    ['broken JSON', '{"a": 1,\n "b": }', 'line 2 is not valid JSON'],
    ['a list', '[]', 'it is not a JSON object'],
    ['other things where hooks and servers belong', '{"hooks": "none", "mcpServers": 3}', 'is not an object'],
  ])('refuses %s and leaves the file', async (_, text, message) => {
    const path = await write(name, text);

    const { code, stderr } = await run('connect', agent, '--yes');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readdir(dirname(path))).toHaveLength(1);
  });
});

describe('connect', () => {
  it('writes nothing without a terminal or --yes', async () => {
    const { code, stderr } = await run('connect', 'codex');

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Add --yes') });
    expect(await readdir(home)).toEqual([]);
  });

  it('keeps the key where only its owner can read it, and out of the settings', async () => {
    for (const [agent, name] of agents) {
      await run('connect', agent, '--yes');
      expect(await readFile(join(home, name), 'utf8')).not.toContain(key);
    }

    const path = join(home, '.config/whetstone/connection.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ url: 'http://127.0.0.1:1', key });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('keeps a link to the settings and the mode of the file', async () => {
    const file = await write('dotfiles/settings.json', '{}\n');
    await mkdir(join(home, '.claude'));
    await symlink(file, join(home, '.claude/settings.json'));
    const { mode } = await stat(file);

    await run('connect', 'claude-code', '--yes');

    expect((await lstat(join(home, '.claude/settings.json'))).isSymbolicLink()).toBe(true);
    expect(await readFile(file, 'utf8')).toContain('whetstone');
    expect((await stat(file)).mode).toBe(mode);
  });

  it('names no folder of this machine in the settings of a project', async () => {
    await run('connect', 'codex', '--project', '--yes');

    const { hooks } = JSON.parse(await readFile(join(home, '.codex/hooks.json'), 'utf8'));
    expect(hooks.UserPromptSubmit[0].hooks[0].command).toBe('whetstone hook prompt --agent codex');
  });
});

describe('doctor', () => {
  it('says what is wrong and what to do about it', async () => {
    const { code, stdout } = await runCommand(['doctor', '--json'], { HOME: home, PWD: home });

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      checks: [
        { name: 'address', ok: false, advice: expect.stringContaining('whetstone connect') },
        { name: 'agents', ok: false, advice: expect.stringContaining('whetstone connect') },
        { name: 'last advice', ok: true, finding: 'none yet' },
        { name: 'last upload', ok: true, finding: 'none yet' },
      ],
    });
  });

  it('finds hooks whose program is gone', async () => {
    await run('connect', 'claude-code', '--yes');
    const path = join(home, '.claude/settings.json');
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/\S*bin\/whetstone\.mjs/g, '/gone/whetstone.mjs'));

    const { code, stdout } = await run('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Claude Code +WRONG +.*\/gone\/whetstone.mjs does not exist. Run whetstone connect claude-code/,
    );
  });
});

it.each([
  ['git@example.org:owner/repo.git', 'owner/repo'],
  ['https://user:secret@example.org/owner/repo.git', 'owner/repo'],
  ['ssh://git@example.org:2222/group/owner/repo/', 'owner/repo'],
  ['/srv/git/repo.git', 'git/repo'],
  ['https://example.org/', undefined],
])('the remote %s names the collection %s', (remote, name) => {
  expect(nameOfRemote(remote)).toBe(name);
});
