import { type Account, createAccounts, unique } from '../support/accounts.js';
import { shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
const task = 'Delete the .bak files below /srv/export that are larger than 50 MB';
const command = "find /srv/export -name '*.bak' -size +50M -delete";
const rounds = 5;
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const ask = (tenantId: string, input = task) =>
  account.client.enhance({ tenant_id: tenantId, input_text: input, agent_type: 'shell' });

async function learned(name: string): Promise<string> {
  const tenantId = unique(name);
  await account.client.learn(shellSuccess(tenantId, task, command));
  return tenantId;
}

/** The intents of all insights in the collection, up to twenty. */
async function intentsIn(tenantId: string): Promise<string[]> {
  const parameters = { tenant_id: tenantId, intent: task, similarity_threshold: '0', dry_run: 'true' };
  const { matches = [] } = await account.client.deleteByIntent(parameters);
  return matches.map(({ intent }) => intent);
}

describe('an answer that comes back in an upload', () => {
  it('teaches nothing, however often it goes round', async () => {
    const tenantId = await learned('echo');
    const first = await ask(tenantId);
    const intents = await intentsIn(tenantId);
    expect(first.metadata.recommendations).not.toEqual([]);

    for (let round = 0; round < rounds; round++) {
      const { response, metadata } = await ask(tenantId);
      const advice = metadata.recommendations.map(({ text }) => text).join('\n');
      const job = await account.client.learn({
        tenant_id: tenantId,
        query: response,
        agent_type: 'shell',
        success: true,
        turns: [
          { turn: 1, inputs: response, decision: response, memory: response, result: response },
          { turn: 2, inputs: JSON.stringify({ role: 'user', content: response }), decision: `My plan:\n${advice}` },
          { turn: 3, inputs: response.replace(/^/gm, '> '), decision: advice.replace(/^/gm, '> '), result: advice },
        ],
      });
      expect(job).toMatchObject({ status: 'completed', outcome: 'nothing_to_learn' });
    }

    expect(await intentsIn(tenantId)).toEqual(intents);
    const last = await ask(tenantId);
    expect(last.response).toBe(first.response);
    expect(last.metadata.recommendations).toEqual(first.metadata.recommendations);
  });

  it('adds what the agent did about it, once for each run, and does not quote itself', async () => {
    const tenantId = await learned('followed');
    const first = await ask(tenantId);
    const lengths: number[] = [];
    const supports: number[] = [];

    for (let round = 0; round < rounds; round++) {
      const { response, metadata } = await ask(tenantId);
      lengths.push(response.length);
      supports.push(Math.max(...metadata.recommendations.map(({ support }) => support)));
      await account.client.learn({
        tenant_id: tenantId,
        query: response,
        agent_type: 'shell',
        success: true,
        turns: [{ turn: 1, inputs: response, decision: command, result: `removed ${round + 1} files` }],
      });
    }

    const last = await ask(tenantId);
    expect(new Set(await intentsIn(tenantId))).toEqual(new Set([task]));
    expect(supports).toEqual([1, 2, 3, 4, 5]);
    // The count of runs may take another letter or two, and nothing else grows.
    expect(Math.max(...lengths, last.response.length) - first.response.length).toBeLessThanOrEqual(2);
    expect(last.response.match(/Recommendations from past runs/g)).toHaveLength(1);
    expect(last.response.split(command)).toHaveLength(2);
  });

  it('is asked about as the task alone when it is sent on', async () => {
    const tenantId = await learned('sent-on');
    const first = await ask(tenantId);

    const again = await ask(tenantId, first.response);

    expect(again.metadata.recommendations).toEqual(first.metadata.recommendations);
  });
});
