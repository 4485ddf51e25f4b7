import { eventually } from '../../support/eventually.js';
import { type Caller, createCaller } from '../clients/caller.js';
import { createUploading } from '../clients/uploading.js';
import type { Place } from '../evidence.js';
import type { Stage } from './run-scenario.js';

/** A second key of an account is used, and revoked under way. Every gateway has to refuse it, for good. */
export async function revokeKey({ system, load, random }: Stage): Promise<void> {
  const { history } = load;
  const owner = random.pick(load.callers) as Caller;
  const { key, keyId } = await system.operator.issueKey(owner.account);
  const address = () => random.pick(system.gateways);
  const caller = createCaller({ member: { ...owner, key }, history, address });
  // Until it counts everywhere a 401 is right as well.
  caller.expectRefusal();
  const place = load.placesOf(owner)[0] as Place;
  const uploadTo = async (gateway: string) => {
    const uploading = createUploading(history, { place, topic: 'archive' });
    return uploading.send(caller, gateway);
  };
  for (const gateway of system.gateways) {
    await eventually(async () => (await uploadTo(gateway)) || undefined, { what: `a new key counts at ${gateway}` });
  }
  const uploading = Array.from({ length: 20 }, () => uploadTo(address()));

  await system.operator.revokeKey(keyId);
  const revokedAt = performance.now();
  await Promise.all(uploading);
  for (const gateway of system.gateways) {
    const refused = async () => (await uploadTo(gateway)) === false || undefined;
    await eventually(refused, { what: `a revoked key is refused at ${gateway}` });
  }
  process.stdout.write(`Refused everywhere ${(performance.now() - revokedAt).toFixed(0)} ms after the command\n`);
  for (let time = 0; time < 20; time++) {
    if (await uploadTo(address())) history.oddities.push('a key that had been refused was accepted again');
  }
}
