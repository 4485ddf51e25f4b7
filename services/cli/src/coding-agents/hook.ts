import { spawn } from 'node:child_process';

import { collectionName } from './collection-name.js';
import { call, connectionOf, type HookInput, lastCall, reasonOf, tell } from './server-calls.js';
import { appendLine, digest, replaceFile, userFolders, type Variables } from './user-folders.js';

/** What a hook uses of its process. */
export interface HookIo {
  env: Variables;
  stdout(text: string): void;
  /** All of standard input; rejects when the signal fires. */
  stdin(signal: AbortSignal): Promise<string>;
  /** The script that runs hooks, for the upload in the background. */
  program: string;
  /** Milliseconds since the process started. */
  elapsedMs(): number;
}

/** An agent waits at most two seconds, the start and the end of the process included. */
const answerWithinMs = 1700;
const inputWithinMs = 500;

/** Runs one hook. Never rejects and never fails the agent: problems are written to the log. */
export async function runHook(event: string | undefined, agent: string, io: HookIo): Promise<void> {
  try {
    const input = JSON.parse(await io.stdin(AbortSignal.timeout(inputWithinMs))) as HookInput;
    if (event === 'prompt') await advise(input, agent, io);
    else if (event === 'end') await uploadInBackground(input, agent, io);
    else if (event === 'upload') {
      const { uploadTranscript } = await import('./upload-transcript.js');
      await uploadTranscript(input, agent, io.env);
    } else throw new Error('unknown event: expected prompt or end');
  } catch (error) {
    await tell(io.env, `hook ${event ?? ''} of ${agent}: ${reasonOf(error)}`);
  }
}

async function advise({ prompt, cwd, session_id }: HookInput, agent: string, io: HookIo): Promise<void> {
  if (!prompt?.trim()) return;
  const collection = await collectionName(cwd ?? process.cwd());
  const { lastAdvice, session } = userFolders(io.env);
  try {
    const response = await call(await connectionOf(io.env), '/enhance_task', {
      body: { tenant_id: collection, input_text: prompt, agent_type: agent },
      signal: AbortSignal.timeout(Math.max(100, Math.floor(answerWithinMs - io.elapsedMs()))),
    });
    const { response: task, metadata } = response as EnhancedTask;
    // The answer is the prompt, byte for byte, then the recommendations.
    const advice = task.slice(prompt.length).trim();
    if (advice !== '') io.stdout(`${JSON.stringify(contextOf(advice))}\n`);
    const answer = { prompt: digest(prompt.trim()), enhancement_id: metadata.enhancement_id };
    await appendLine(session(session_id ?? ''), JSON.stringify(answer));
    const count = metadata.recommendations.length;
    const detail = `${count} recommendation${count === 1 ? '' : 's'}`;
    await replaceFile(lastAdvice, lastCall({ collection, ok: true, detail }));
  } catch (error) {
    await replaceFile(lastAdvice, lastCall({ collection, ok: false, detail: reasonOf(error) }));
    throw error;
  }
}

interface EnhancedTask {
  response: string;
  metadata: { enhancement_id: string; recommendations: unknown[] };
}

/** The same for Claude Code and Codex. */
function contextOf(additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } };
}

/** The agent does not wait for the upload, and may itself end before it. */
function uploadInBackground(input: HookInput, agent: string, { program }: HookIo): Promise<void> {
  const { session_id, cwd = process.cwd(), transcript_path } = input;
  if (!transcript_path) throw new Error('the agent named no transcript: the run is not uploaded');
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, 'hook', 'upload', '--agent', agent], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.once('error', fail);
    child.stdin.once('error', fail);
    child.stdin.end(JSON.stringify({ session_id, cwd, transcript_path }), () => {
      child.unref();
      done();
    });
  });
}
