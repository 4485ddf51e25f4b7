import { fencesIn, labelOf, sectionsIn, withoutMarks } from './unwrap.js';

describe('fencesIn', () => {
  it.each([
    ['```bash\nls\n```', [{ text: 'ls', language: 'bash' }]],
    ['```\nls\n```', [{ text: 'ls' }]],
    ['~~~SQL\nSELECT 1\n~~~', [{ text: 'SELECT 1', language: 'sql' }]],
    ['a\n  ```py\n  x = 1\n  ```\nb', [{ text: '  x = 1', language: 'py' }]],
    ['```sh\nls', [{ text: 'ls', language: 'sh' }]],
    ['```sh\nls\n```\nand\n```\npwd\n```', [{ text: 'ls', language: 'sh' }, { text: 'pwd' }]],
    ['````md\n```sh\nls\n```\n````', [{ text: '```sh\nls\n```', language: 'md' }]],
    ['```ts title="a.ts"\nlet a = 1\n```', [{ text: 'let a = 1', language: 'ts' }]],
    ['```r {echo=FALSE}\nx\n```', [{ text: 'x', language: 'r' }]],
    ['```bash ls -la\npwd\n```', [{ text: 'ls -la\npwd', language: 'bash' }]],
    ['```ls -la\n```', [{ text: 'ls -la' }]],
    ['```bash ls -la```', [{ text: 'ls -la', language: 'bash' }]],
    ['```sh ls```', [{ text: 'ls', language: 'sh' }]],
    ['```shell ls```', [{ text: 'ls', language: 'shell' }]],
    ['```sql SELECT 1```', [{ text: 'SELECT 1', language: 'sql' }]],
    ['```python x = 1```', [{ text: 'x = 1', language: 'python' }]],
    ['```json [1]```', [{ text: '[1]', language: 'json' }]],
    ['```ls -la```', [{ text: 'ls -la' }]],
    ['```ls```', [{ text: 'ls' }]],
    ['I will ```click [12]``` and ```stop```', [{ text: 'click [12]' }, { text: 'stop' }]],
    ['```\n\n```', []],
    ['no fence', []],
  ])('in %j', (text, fences) => {
    expect(fencesIn(text)).toEqual(fences);
  });
});

describe('withoutMarks', () => {
  it.each([
    ['`ls -la`', { text: 'ls -la' }],
    ['`a` and `b`', { text: '`a` and `b`' }],
    ['$ ls', { text: 'ls', prompt: '$' }],
    ['$ ls\na.txt\n$ pwd', { text: 'ls\npwd', prompt: '$' }],
    ['$ ls \\\n  -la\na.txt', { text: 'ls \\\n  -la', prompt: '$' }],
    ['>>> for a in b:\n...     c(a)\n1', { text: 'for a in b:\n    c(a)', prompt: '>>>' }],
    ['> open door', { text: 'open door', prompt: '>' }],
    ['sqlite> SELECT 1', { text: 'SELECT 1', prompt: 'sqlite>' }],
    ['$HOME', { text: '$HOME' }],
  ])('of %j', (text, bare) => {
    expect(withoutMarks(text)).toEqual(bare);
  });
});

describe('labels', () => {
  it.each(['Thoughtful: yes', 'Action needed: call us', 'Tools: hammer', 'SQLite: 3', 'A bash command: which?'])(
    'are not seen in %j',
    (line) => {
      expect(labelOf(line)).toBeUndefined();
    },
  );

  it.each([
    ['thought', 'Thought: a'],
    ['thought', 'THINKING: a'],
    ['thought', '## Reasoning: a'],
    ['thought', 'Reason: a'],
    ['action', '**Action:** a'],
    ['action', 'Action 12: a'],
    ['action', 'Tool: a'],
    ['action', 'tool_call: a'],
    ['action', 'Function call: a'],
    ['input', 'Action Input: a'],
    ['input', 'action_input: a'],
    ['input', 'Tool Input: a'],
    ['input', 'Input: a'],
    ['input', 'Arguments: a'],
    ['command', 'Command: a'],
    ['command', 'CMD: a'],
    ['command', 'Bash: a'],
    ['command', 'Bash command: a'],
    ['command', 'Shell: a'],
    ['command', 'Shell command: a'],
    ['sql', 'SQL: a'],
    ['sql', 'SQL query: a'],
    ['sql', 'Query: a'],
    ['code', 'Code: a'],
    ['observation', 'Observation: a'],
    ['answer', 'Final Answer: a'],
  ])('%s: %s', (role, line) => {
    expect(labelOf(line)?.role).toBe(role);
  });

  it('cut a text into sections', () => {
    expect(sectionsIn('Let me see.\nAction: a\nb\nInput: c')).toEqual([
      { label: '', text: 'Let me see.' },
      { role: 'action', label: 'Action: ', text: 'a\nb' },
      { role: 'input', label: 'Input: ', text: 'c' },
    ]);
  });

  it('are seen inside of a line behind a thought only', () => {
    expect(sectionsIn('Thought: a. Action: b Action Input: c')?.map(({ text }) => text)).toEqual(['a.', 'b', 'c']);
    expect(sectionsIn('Thought: a. Final Answer: b')?.map(({ role }) => role)).toEqual(['thought', 'answer']);
    expect(sectionsIn('We see. Action: b')).toBeUndefined();
  });

  it('are not seen between fences, and alone say nothing as input or observation', () => {
    expect(sectionsIn('```\nAction: a\n```')).toBeUndefined();
    expect(sectionsIn('Input: a\nObservation: b')).toBeUndefined();
    expect(sectionsIn('Action: a\n```\nCommand: b\n```')).toHaveLength(1);
  });
});
