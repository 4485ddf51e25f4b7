import type { DeleteResult } from '../../support/contract.js';
import type { Randomness } from '../../support/randomness.js';
import { lessons } from '../../support/uploads.js';
import type { Place } from '../evidence.js';
import { type Caller, operations } from './caller.js';
import type { History } from './history.js';

export interface ProbeOptions {
  history: History;
  random: Randomness;
  caller: Caller;
  /** The account under attack. */
  victim: Caller;
  /** Collections of the victim with names that the caller does not use. */
  victimPlaces: readonly Place[];
}

/** Tries one way to reach another account's data. */
export async function probe(options: ProbeOptions): Promise<void> {
  const { history, random } = options;
  history.probes++;
  await random.pick(ways)(options);
}

/** The caller's own collection with the name of one of the victim's: it must be empty. */
function shadowOf({ account, tenantId }: Place): Place {
  return { account, tenantId, tag: 'nobody' };
}

type Way = (options: ProbeOptions) => Promise<void>;

/** A victim's tenant id names an empty collection of the caller; words from the victim's uploads find nothing there. */
const askInTheirName: Way = async ({ history, random, caller, victim, victimPlaces }) => {
  const place = shadowOf(random.pick(victimPlaces));
  const { marker } = random.pick(history.uploads.filter(({ account }) => account === victim.account)) ?? {};
  const task = `${random.pick(Object.values(lessons)).asked} ${marker ?? ''}`;
  await caller.send({
    operation: operations.enhance,
    body: { tenant_id: place.tenantId, input_text: task },
    place,
    echo: task,
  });
};

const deleteInTheirName: Way = async ({ history, random, caller, victimPlaces }) => {
  const place = shadowOf(random.pick(victimPlaces));
  const { body } = await caller.send<DeleteResult>({
    operation: operations.delete,
    query: { tenant_id: place.tenantId, intent: random.pick(Object.values(lessons)).task, similarity_threshold: '0' },
    place,
  });
  if (body?.deleted_count) history.leaks.push(`${caller.account} deleted ${body.deleted_count} in a place without any`);
};

const askWithTheirKey: Way = ({ history, random, caller, victim }) =>
  refused(history, caller, {
    operation: operations.enhance,
    body: { tenant_id: victim.key, input_text: random.pick(Object.values(lessons)).asked },
  });

const deleteWithTheirKey: Way = ({ history, random, caller, victim }) =>
  refused(history, caller, {
    operation: operations.delete,
    query: { tenant_id: victim.key, intent: random.pick(Object.values(lessons)).task, similarity_threshold: '0' },
  });

const uploadWithTheirKey: Way = ({ history, caller, victim }) =>
  refused(history, caller, {
    operation: operations.store,
    body: { tenant_id: victim.key, query: lessons.archive.task, turns: [] },
  });

const watchTheirJob: Way = async ({ history, random, caller, victim }) => {
  const jobs = history.uploads.filter(({ account }) => account === victim.account).flatMap(({ jobIds }) => jobIds);
  if (jobs.length === 0) return;
  const path = `/${random.pick(jobs)}`;
  const { status, text } = await caller.send({ operation: operations.status, path, expected: [404] });
  if (status === 200) history.leaks.push(`${caller.account} was told of a job of ${victim.account}: ${text}`);
};

const ways: readonly Way[] = [
  askInTheirName,
  deleteInTheirName,
  askWithTheirKey,
  deleteWithTheirKey,
  uploadWithTheirKey,
  watchTheirJob,
];

async function refused(
  history: History,
  caller: Caller,
  call: Pick<Parameters<Caller['send']>[0], 'operation' | 'body' | 'query'>,
): Promise<void> {
  const { status } = await caller.send({ ...call, expected: [403] });
  if (status === call.operation.success) {
    history.leaks.push(`${call.operation.name} of ${caller.account} was let in with another account's key`);
  }
}
