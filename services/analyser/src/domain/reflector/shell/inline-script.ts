import { takeOutHeredocs } from './heredocs.js';
import { readStages, type ShellStage } from './shell-command.js';

/** A script that a command hands to an interpreter: `python3 - <<'PY' …`, `node -e '…'`. */
export interface InlineScript {
  program: string;
  /** Whether it changes files; else it only looks or works something out. */
  writes: boolean;
  /** The files that it names, a few of them. */
  files: string[];
}

const scanLimit = 8_000;
const interpreter = /^(?:python[\d.]*|node|ruby|perl|php)$/;
const writing =
  /\bwrite_text\(|\bopen\([^)\n]{0,120},\s*(?:mode\s*=\s*)?['"][wax]|\.write(?:lines)?\(|writeFile|appendFile|\bshutil\.|\bos\.(?:remove|rename|replace|makedirs|mkdir|unlink|chmod)|\.(?:unlink|rename|mkdir|touch)\(|unlinkSync|subprocess/;
const named = /\b(?:Path|open|readFileSync|read_text)\(\s*['"]([^'"\n]{2,120})['"]/g;
const mostFiles = 3;

export function readInlineScript(command: string): InlineScript | undefined {
  const { command: bare, texts } = takeOutHeredocs(command);
  const stages = readStages(bare);
  const stage = stages.find(runsInlineScript) ?? stages.find((one) => runsWhatIsWritten(one, bare));
  if (!stage) return undefined;
  const script = (texts.join('\n') || bare).slice(0, scanLimit);
  const files = [...new Set([...script.matchAll(named)].map(([, file = '']) => file))].slice(0, mostFiles);
  return { program: stage.program, writes: writing.test(script), files };
}

/** `cat > fix.py <<'PY' … && python3 fix.py` */
function runsWhatIsWritten({ program, words: [file = ''] }: ShellStage, command: string): boolean {
  return interpreter.test(program) && file !== '' && [`> ${file}`, `>${file}`].some((write) => command.includes(write));
}

/** Given a script on the line or after it: what it does stands in there. */
export function runsInlineScript({ program, options, words }: ShellStage): boolean {
  return (
    interpreter.test(program) &&
    (options.some((option) => /^-[ce]$/.test(option)) || words[0] === '-' || words.length === 0)
  );
}
