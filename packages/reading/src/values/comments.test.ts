import type { Action } from '../actions/action.js';
import { uncommented } from './comments.js';

const bare = (kind: Action['kind'], text: string) => uncommented({ kind, verb: '', text }).text;

describe('an action without its comments', () => {
  it.each([
    ['command', 'uptime # call 5550199 first', 'uptime'],
    ['command', '# for Ann\nls -la', 'ls -la'],
    ['command', "grep '# x' a && echo $# # c", "grep '# x' a && echo $#"],
    ['sql', 'SELECT 1 -- ask Ann', 'SELECT 1'],
    ['sql', "SELECT '--a' /* Ann */ FROM t", "SELECT '--a'  FROM t"],
    ['code', 'x = 1  # Ann said so\ny = "# no"', 'x = 1\ny = "# no"'],
    ['code', "fetch('https://a.example') // Ann", "fetch('https://a.example')"],
  ] as const)('%s: %s', (kind, text, expected) => {
    expect(bare(kind, text)).toBe(expected);
  });

  it.each([
    ['command', 'cat > a.md <<END\n# Title\nEND'],
    ['command', '#!/bin/sh'],
    ['code', '#include <a.h>\nint a;'],
    ['reply', 'Number # 5'],
    ['edit', 'a.py\n+# why'],
  ] as const)('keeps what is none: %s %s', (kind, text) => {
    expect(bare(kind, text)).toBe(text);
  });
});
