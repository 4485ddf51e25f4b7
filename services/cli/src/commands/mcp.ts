import { isMcpToolName, listMcpTools, mcpInstructions } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import type { Command } from 'commander';
import { reasonOf } from '../coding-agents/server-calls.js';
import type { CliIo } from '../io.js';

export function addMcpCommand(program: Command, io: CliIo): void {
  program
    .command('mcp')
    .description('connect an MCP client that speaks over standard input and output to a running server')
    .option('--tenant <name>', 'the collection to learn from (default: the default collection of the account)')
    .addHelpText('after', help)
    .action(async ({ tenant }: { tenant?: string }) => {
      const forward = createForward(addressOf(io, tenant), keyOf(io), io);
      const [{ Server }, { serveStdio }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('@modelcontextprotocol/server/stdio'),
      ]);
      serveStdio(() => {
        const server = new Server(
          { name: 'whetstone', title: 'Whetstone', version: '1.0.0' },
          { capabilities: { tools: {} }, instructions: mcpInstructions },
        );
        server.setRequestHandler('tools/list', async () => {
          const { result, reason } = await forward<{ tools: ReturnType<typeof listMcpTools> }>('tools/list', {});
          return reason === undefined ? result : { tools: listMcpTools() };
        });
        server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
          if (!isMcpToolName(name)) return failed(`No such tool: ${name}`);
          const { result, reason } = await forward<ReturnType<typeof failed>>('tools/call', { name, arguments: given });
          return reason === undefined ? result : failed(`${reason} Carry on without this tool.`);
        });
        return server;
      });
      await new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
    });
}

const help = `
Reads WHETSTONE_URL, such as https://whetstone.example.com, and WHETSTONE_KEY from the environment. Prints only protocol messages to standard
output; what goes wrong is on standard error. While the server is away, tools are listed all the same and their calls tell that they failed.

Example, as the entry of an MCP client:
  { "command": "whetstone", "args": ["mcp", "--tenant", "ops-bot"],
    "env": { "WHETSTONE_URL": "https://whetstone.example.com", "WHETSTONE_KEY": "wst_…" } }`;

/** Longer than the server takes itself at most. */
const timeoutMs = 15_000;

function addressOf({ env }: CliIo, tenant: string | undefined): URL {
  const base = env['WHETSTONE_URL'];
  if (!base || !URL.canParse(base)) {
    throw new AppError('invalid_argument', 'Set WHETSTONE_URL to the address of the server');
  }
  const path = tenant === undefined ? 'mcp' : `mcp/${encodeURIComponent(tenant)}`;
  return new URL(path, base.endsWith('/') ? base : `${base}/`);
}

function keyOf({ env }: CliIo): string {
  const key = env['WHETSTONE_KEY'];
  if (!key) throw new AppError('invalid_argument', 'Set WHETSTONE_KEY to an API key');
  return key;
}

type Forwarded<Result> = { result: Result; reason?: never } | { reason: string; result?: never };

/** Sends one message to the server. Never rejects: it tells the reason, also on standard error. */
function createForward(address: URL, key: string, io: CliIo) {
  return async <Result>(method: string, params: object): Promise<Forwarded<Result>> => {
    try {
      const answer = await fetch(address, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { result, error, message } = (await answer.json()) as Answer<Result>;
      return result === undefined ? away(error?.message ?? message ?? `HTTP ${answer.status}`) : { result };
    } catch (error) {
      return away(reasonOf(error));
    }
  };

  function away(cause: string): { reason: string } {
    io.stderr(`Whetstone at ${address.origin} did not answer as expected: ${cause}\n`);
    return { reason: `Whetstone is not available (${cause}).` };
  }
}

/** A message of JSON-RPC, or the refusal of a request. */
interface Answer<Result> {
  result?: Result;
  error?: { message?: string };
  message?: string;
}

function failed(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] };
}
