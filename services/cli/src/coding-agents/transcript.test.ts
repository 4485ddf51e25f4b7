import { readTranscript } from './transcript.js';

const advice = '--- Recommendations from past runs ---\n1. [avoid · 2 runs] Do not.\n--- End of recommendations ---';
const lines = (...entries: object[]) => entries.map((entry) => JSON.stringify(entry)).join('\n');

const user = (content: unknown, more = {}) => ({
  type: 'user',
  timestamp: 't1',
  message: { role: 'user', content },
  ...more,
});
const assistant = (...content: object[]) => ({ type: 'assistant', message: { role: 'assistant', content } });
const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });

describe('a transcript of Claude Code', () => {
  it('is one run for each prompt, with a turn for each tool call', () => {
    const { runs } = readTranscript(
      lines(
        user('Fix the build'),
        assistant(
          { type: 'text', text: 'I look first.' },
          use('a', 'Bash', { command: 'npm test', description: 'Test' }),
        ),
        user([result('a', [{ type: 'text', text: '1 failed' }])]),
        assistant(use('b', 'Edit', { file_path: 'a.ts' }), use('c', 'Bash', { command: 'npm test' })),
        user([result('c', 'all tests passed')]),
        user([result('b', 'edited')]),
        assistant({ type: 'text', text: 'Done.' }),
        user([{ type: 'text', text: 'Now publish it' }]),
        assistant(use('d', 'Bash', { command: 'npm publish' })),
      ),
    );

    expect(runs).toEqual([
      {
        query: 'Fix the build',
        timestamp: 't1',
        turns: [
          { turn: 1, inputs: 'Fix the build', memory: 'I look first.', decision: 'npm test', result: '1 failed' },
          { turn: 2, inputs: '1 failed', decision: 'Edit {"file_path":"a.ts"}', result: 'edited' },
          { turn: 3, inputs: '1 failed', decision: 'npm test', result: 'all tests passed' },
        ],
      },
      {
        query: 'Now publish it',
        timestamp: 't1',
        turns: [{ turn: 1, inputs: 'Now publish it', decision: 'npm publish' }],
      },
    ]);
  });

  it('loses our advice, and what the agent added to the prompt', () => {
    const { runs } = readTranscript(
      lines(
        user(`<system-reminder>hook context: ${advice}</system-reminder>Fix the build\n\n${advice}`),
        assistant({ type: 'text', text: `I was told: ${advice}` }, use('a', 'Bash', { command: 'npm test' })),
        user([result('a', `ok\n${advice}`)]),
      ),
    );

    expect(JSON.stringify(runs)).not.toMatch(/recommendations|Do not/i);
    expect(runs).toMatchObject([{ query: 'Fix the build', turns: [{ decision: 'npm test' }] }]);
  });

  it('counts what it skips: unknown entries, subagents, commands of the agent; and broken lines', () => {
    const text = lines(
      { type: 'file-history-snapshot', snapshot: {} },
      user('Fix it'),
      user('Caveat', { isMeta: true }),
      user('<command-name>/clear</command-name>'),
      user('[Request interrupted by user]'),
      { ...assistant(use('x', 'Bash', { command: 'ls' })), isSidechain: true },
      assistant(use('a', 'Bash', { command: 'npm test' })),
    );

    expect(readTranscript(`${text}\n{"type":"us`)).toMatchObject({
      runs: [{ query: 'Fix it', turns: [{ decision: 'npm test' }] }],
      entries: 8,
      skipped: 5,
      broken: 1,
    });
  });

  it('has no run for a prompt without tool calls', () => {
    const text = lines(user('Thanks'), assistant({ type: 'text', text: 'You are welcome' }));

    expect(readTranscript(text).runs).toEqual([]);
  });

  it('keeps the start and the end of what is long', () => {
    const calls = Array.from({ length: 300 }, (_, at) => assistant(use(`${at}`, 'Bash', { command: `echo ${at}` })));
    const { runs } = readTranscript(lines(user(`a${'😀'.repeat(20_000)}z`), ...calls));

    const query = runs[0]?.query ?? '';
    expect([query.length <= 16_000, query.startsWith('a😀'), query.endsWith('😀z')]).toEqual([true, true, true]);
    expect(/\p{Surrogate}/u.test(query)).toBe(false);
    expect(runs[0]?.turns).toHaveLength(100);
    expect(runs[0]?.turns.at(-1)?.decision).toBe('echo 299');
  });
});

const item = (payload: object) => ({ timestamp: 't', type: 'response_item', payload });

const header = (code: number) => `Chunk ID: 1\nProcess exited with code ${code}\nOutput:\n`;

describe('a rollout of Codex', () => {
  it('keeps the exit code of a command that failed', () => {
    const { runs } = readTranscript(
      lines(
        item({
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '# AGENTS.md instructions for x' }],
        }),
        item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the build' }] }),
        item({ type: 'function_call', call_id: 'a', name: 'exec_command', arguments: '{"cmd":"npm test"}' }),
        item({ type: 'function_call_output', call_id: 'a', output: `${header(2)}1 failed` }),
      ),
    );

    expect(runs).toMatchObject([{ query: 'Fix the build', turns: [{ result: 'exit code 2\n1 failed' }] }]);
  });

  it('is one run for each prompt, with a turn for each tool call', () => {
    const { runs, skipped } = readTranscript(
      lines(
        { timestamp: 't', type: 'session_meta', payload: { id: 's' } },
        item({
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
        }),
        item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the build' }] }),
        { timestamp: 't', type: 'event_msg', payload: { type: 'user_message', message: 'Fix the build' } },
        item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: advice }] }),
        item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look first.' }] }),
        item({
          type: 'function_call',
          call_id: 'a',
          name: 'shell',
          arguments: '{"command":["bash","-lc","npm test"]}',
        }),
        item({
          type: 'function_call_output',
          call_id: 'a',
          output: '{"output":"1 failed","metadata":{"exit_code":1}}',
        }),
        item({ type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '*** Begin Patch' }),
        item({ type: 'custom_tool_call_output', call_id: 'b', output: 'Success' }),
        item({ type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{"cmd":"npm test"}' }),
        item({ type: 'function_call_output', call_id: 'c', output: `${header(0)}all tests passed` }),
        { timestamp: 't', type: 'event_msg', payload: { type: 'token_count' } },
      ),
    );

    expect(runs).toEqual([
      {
        query: 'Fix the build',
        timestamp: 't',
        turns: [
          { turn: 1, inputs: 'Fix the build', memory: 'I look first.', decision: 'npm test', result: '1 failed' },
          { turn: 2, inputs: '1 failed', decision: 'apply_patch *** Begin Patch', result: 'Success' },
          { turn: 3, inputs: 'Success', decision: 'npm test', result: 'all tests passed' },
        ],
      },
    ]);
    expect(skipped).toBe(4);
  });
});
