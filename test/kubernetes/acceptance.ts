import { startOpsFront } from '@whetstone/deploy';

import { runJest } from '../support/run-jest.js';
import { publishTarget } from '../support/target.js';
import type { Forwarded, Kubectl } from './kubectl.js';
import { podsOf } from './pods.js';

const opsPort = 9464;

export interface AcceptanceOptions {
  kubectl: Kubectl;
  release: string;
  fullname: string;
  url: string;
  /** Folders and files with everything that was printed and written. */
  output: string[];
  /** Whether they have what Kafka and Milvus write, too. */
  complete: boolean;
}

/** The black-box suite against the gateway's Service, with keys that are issued in a pod. */
export async function runAcceptance(options: AcceptanceOptions): Promise<void> {
  const { kubectl, release, fullname, url, output, complete } = options;
  const pods = await podsOf(kubectl, release);
  const forwarded = await Promise.all(pods.map(({ metadata }) => kubectl.forward(metadata.name, opsPort)));
  const ops = await startOpsFront(
    pods.map(({ metadata: { name } }, index) => ({ name, opsUrl: (forwarded[index] as Forwarded).url })),
  );
  const whetstone = `${kubectl.command} exec deploy/${fullname}-gateway -- whetstone`;
  const because = "--reason 'acceptance test' --json";
  const env: Record<string, string> = {};
  publishTarget(
    {
      baseUrl: url,
      opsUrl: ops.url,
      issueKeyCommand: `${whetstone} keys issue --account {account} --approved-by acceptance ${because}`,
      revokeKeyCommand: `${whetstone} keys revoke --key-id {key_id} ${because}`,
      openErrorCommand: `${whetstone} errors open {sealed}`,
      output,
    },
    env,
  );
  // It searches what Kafka and Milvus have on their disks.
  const args = complete ? [] : ['--testPathIgnorePatterns', 'isolation/traces'];
  if (!complete) console.log('LEFT OUT: isolation/traces, which looks into the files of Kafka and Milvus.');
  try {
    const passed = await runJest({ project: 'acceptance', env, args });
    if (!passed) throw new Error('Tests failed: see above');
  } finally {
    await ops.stop();
    for (const one of forwarded) one.stop();
  }
}
