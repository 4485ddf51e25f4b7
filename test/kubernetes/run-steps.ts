import { join } from 'node:path';

import { serviceNames } from '@whetstone/deploy';

import { openMembers } from '../faults/open-members.js';
import { type Fault, runScenario } from '../faults/scenarios/run-scenario.js';
import type { Installation } from '../faults/systems/system.js';
import { eventually } from '../support/eventually.js';
import { createRandomness } from '../support/randomness.js';
import { runAcceptance } from './acceptance.js';
import type { Engines } from './engines.js';
import { createInstallation, findGateway } from './installation.js';
import { type Kubectl, objectsIn } from './kubectl.js';
import type { Options, Part } from './options.js';
import { killPod, restartsIn, startTimes } from './pods.js';
import type { Release } from './release.js';
import { runStandalone } from './standalone.js';
import type { Steps } from './steps.js';

export interface Surroundings {
  steps: Steps;
  helm: string;
  kubectl: Kubectl;
  release: Release;
  engines: Engines;
  /** For what is written meanwhile. */
  folder: string;
  options: Options;
}

const paceMs = 400;

/** Installs, uses, upgrades under load, kills pods and uninstalls. */
export async function runSteps(surroundings: Surroundings): Promise<void> {
  const { steps, helm, kubectl, release, engines, folder, options } = surroundings;
  const random = createRandomness();
  const fullname = `${release.name}-whetstone`;
  const before = await objectsIn(kubectl.namespace);
  await part('standalone', 'a standalone server, broken by an upgrade and repaired by a rollback', () =>
    runStandalone({ helm, kubectl, options }),
  );
  if (engines.own) {
    await steps.take('an installation that the hook refuses, with the value that would accept it', async () => {
      const said = await release.installRefused();
      if (!said.includes('topics.acceptWeaker')) throw new Error(said);
    });
  }
  if (!(await steps.take('helm upgrade --install', () => installed().then(() => true)))) return;
  for (const line of await startTimes(kubectl, release.name)) steps.note(line);

  const url = await steps.take("the gateway's Service answers", () => findGateway(kubectl, fullname, options.url));
  await part('test', 'helm test', async () => {
    const printed = await release.test();
    for (const line of printed.split('\n').filter((text) => /^(ok|FAILED|not ok)/.test(text))) steps.note(line);
  });
  if (url !== undefined) await used(url);

  await steps.take('no container has ended by itself', async () => {
    const restarts = await restartsIn(kubectl, release.name);
    if (restarts.length > 0) throw new Error(restarts.join('\n'));
  });
  await steps.take('helm uninstall leaves what the README says, and nothing else', async () => {
    await release.uninstall();
    const left = async () => (await objectsIn(kubectl.namespace)).filter((name) => !before.includes(name));
    const isSaid = (name: string) => /^(pod|networkpolicy[.\w]*)\/.*-test$/.test(name);
    // Pods take their time to drain.
    await untilNone(async () => (await left()).filter((name) => !isSaid(name)));
    // As in the README.
    const selector = `app.kubernetes.io/instance=${release.name}`;
    await kubectl.run('delete', 'pod,job,networkpolicy', '--selector', selector);
    await untilNone(left);
  });

  async function part(name: Part, title: string, work: () => Promise<void>): Promise<void> {
    if (options.skip.includes(name)) steps.note(`LEFT OUT: ${title}`);
    else await steps.take(title, work);
  }

  async function installed(): Promise<void> {
    await release.install().catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await troubles(kubectl)}`);
    });
    const notes = await release.notes();
    const untold = ['keys issue', ...serviceNames.map((service) => `${fullname}-${service}`)].filter(
      (words) => !notes.includes(words),
    );
    if (untold.length > 0) throw new Error(`The notes do not mention ${untold.join(', ')}`);
  }

  async function used(url: string): Promise<void> {
    const installation = createInstallation(kubectl, fullname, url);
    const members = await openMembers(installation, 3);
    await part('upgrade', 'helm upgrade that rolls every pod, under load, and no request fails', async () => {
      const upgrade = { title: 'helm upgrade', strike: () => release.upgrade() };
      await scenario([upgrade], true);
    });
    await part('kills', 'a pod of each service killed under load', async () => {
      const kills = serviceNames.map((service) => ({
        title: `a pod of ${service} killed`,
        async strike() {
          const { tookMs, startSeconds } = await killPod(kubectl, release.name, service);
          const took = `${(tookMs / 1000).toFixed(1)} s`;
          steps.note(`${service}: another pod was ready ${took} after the kill, ${startSeconds} s after its start`);
        },
      }));
      await scenario(kills, false);
    });

    // Last: Milvus Lite answers one request at a time, and slower with everything this leaves in it.
    const stopFollowing = kubectl.follow(`app.kubernetes.io/instance=${release.name}`, join(folder, 'pods.log'));
    await part('acceptance', "acceptance suite against the gateway's Service", () =>
      runAcceptance({ kubectl, release: release.name, fullname, url, output: [folder], complete: engines.own }),
    );
    stopFollowing();

    async function scenario(faults: Fault<Installation>[], flawless: boolean): Promise<void> {
      const problems = await runScenario({ faults, system: installation, members, random, paceMs, flawless });
      if (problems.length > 0) throw new Error(problems.map(({ kind, text }) => `${kind}: ${text}`).join('\n'));
    }
  }
}

async function untilNone(look: () => Promise<string[]>): Promise<void> {
  let seen: string[] = [];
  const none = async () => {
    seen = await look();
    return seen.length === 0 || undefined;
  };
  await eventually(none, { what: 'all is gone', withinMs: 180_000, everyMs: 1000 }).catch(() => {
    throw new Error(`Left behind: ${seen.join(', ')}`);
  });
}

/** Why pods do not come up, as Kubernetes tells it. */
async function troubles(kubectl: Kubectl): Promise<string> {
  const pods = await kubectl.run('get', 'pods', '--output', 'wide');
  const events = await kubectl.run('get', 'events', '--field-selector', 'type=Warning', '--sort-by=.lastTimestamp');
  const logs = await kubectl.run(
    'logs',
    '--selector',
    'app.kubernetes.io/part-of=whetstone',
    '--tail',
    '5',
    '--prefix',
  );
  return [pods, events, logs].join('\n');
}
