import { executedIn, kindOf } from './executed.js';

describe('executedIn', () => {
  it.each(['base_rate', 'shelf_add', 'determine', 'show', 'cmdb_lookup', 'squeal', 'pytest', 'java', 'jsonpath'])(
    'knows that %s executes nothing',
    (verb) => {
      expect(executedIn(verb, { input: 'frobnicate' })).toBeUndefined();
    },
  );

  it.each([
    ['bash_tool', 'command'],
    ['CmdRunAction', 'command'],
    ['execute_ipython_cell', 'code'],
    ['remote_shell', 'command'],
    ['terminal', 'command'],
    ['sh', 'command'],
    ['run_cmd', 'command'],
    ['mysql', 'sql'],
    ['python3', 'code'],
    ['browser_javascript', 'code'],
    ['jupyter', 'code'],
    ['run_js', 'code'],
  ])('knows that %s executes a %s', (verb, kind) => {
    expect(executedIn(verb, { input: 'frobnicate' })?.kind).toBe(kind);
  });

  it.each(['run', 'exec', 'execute', 'command', 'system', 'subprocess', 'popen', 'script'])(
    '%s runs what could be a command',
    (verb) => {
      expect(executedIn(`${verb}_it`, { 0: 'frobnicate north' })?.kind).toBe('command');
      expect(executedIn(`${verb}_it`, { 0: 'Open the north door, please.' })).toBeUndefined();
    },
  );

  it('leaves an operation to the tool that does it', () => {
    expect(executedIn('run_action', { 0: 'tickets.create', 1: { title: 'x' } })).toBeUndefined();
    expect(executedIn('run_action', { 0: 'tickets.create' })?.kind).toBe('command');
    expect(executedIn('run_action', { command: 'tickets.create', env: {} })?.kind).toBe('command');
    expect(executedIn('run_bash', { 0: 'tickets.create', 1: {} })?.kind).toBe('command');
  });

  it.each(['eval', 'code', 'interpreter', 'query', 'database', 'db'])('%s executes no commands', (verb) => {
    expect(executedIn(verb, { input: 'total = 3\nprint(total)' })?.kind).toBe('code');
    expect(executedIn(verb, { 0: 'frobnicate north' })).toBeUndefined();
  });

  it.each(['command', 'cmd', 'commands', 'script', 'sql', 'code'])('%s tells by itself', (key) => {
    expect(executedIn('helper', { [key]: 'ls -la beds' })?.kind).toBe('command');
    expect(executedIn(undefined, { [key]: 'ls -la beds' })?.kind).toBe('command');
  });

  it.each(['query', 'statement', 'source', 'input', 'keystrokes', '0'])(
    '%s tells beside a verb that executes',
    (key) => {
      expect(executedIn('bash', { [key]: 'ls -la beds' })?.kind).toBe('command');
      expect(executedIn('helper', { [key]: 'ls -la beds' })).toBeUndefined();
    },
  );

  it('takes the query of an object without a verb only for SQL', () => {
    expect(executedIn(undefined, { query: 'SELECT name FROM beds' })?.kind).toBe('sql');
    expect(executedIn(undefined, { query: 'ls -la beds' })).toBeUndefined();
  });

  it('takes what could be a command for one only where nothing else is said', () => {
    expect(executedIn(undefined, { command: 'frobnicate north' })?.kind).toBe('command');
    expect(executedIn(undefined, { command: 'view', path: 'a.txt' })).toBeUndefined();
    expect(executedIn(undefined, { command: 'frobnicate north', tries: 3 })?.kind).toBe('command');
    expect(executedIn(undefined, { code: 'E1002' })).toBeUndefined();
  });

  it('believes the name of the argument over the name of the call', () => {
    expect(executedIn('run_python_tests', { command: 'pytest -q' })?.kind).toBe('command');
    expect(executedIn('mysql_shell', { cmd: 'ls -la' })?.kind).toBe('command');
  });

  it.each([
    [['bash', '-lc', ' ls -la | wc -l '], 'ls -la | wc -l'],
    [['sh', '-c', 'ls'], 'ls'],
    [['/bin/zsh', '-c', 'ls'], 'ls'],
    [['dash', '-c', 'ls'], 'ls'],
    [['git', 'commit', '-m', "Ada's beds"], `git commit -m 'Ada'\\''s beds'`],
    [['bash', '-c', 'ls', 'x'], 'bash -c ls x'],
  ])('puts %j together', (command, text) => {
    expect(executedIn('shell', { command })).toEqual({ kind: 'command', text });
  });

  it.each([[''], ['  '], [[]], [[1]], [null], [{}]])('finds nothing in %j', (command) => {
    expect(executedIn('shell', { command })).toBeUndefined();
  });
});

describe('kindOf', () => {
  it.each([
    ['SELECT name FROM beds', 'sql'],
    ['ls -la', 'command'],
    ['import csv\nrows = 3', 'code'],
    ['for bed in beds; do echo "$bed" done', 'command'],
    ['leeks that stand the cold', undefined],
  ])('of %j is %s', (text, kind) => {
    expect(kindOf(text, true)).toBe(kind);
  });

  it('is none of what could be a command, where it may not be', () => {
    expect(kindOf('frobnicate north', false)).toBeUndefined();
  });
});
