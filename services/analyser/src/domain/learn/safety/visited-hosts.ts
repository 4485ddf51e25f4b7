import type { Interaction } from '@whetstone/contracts';

import type { Step } from '../steps.js';
import { hostsIn } from './hosts-in.js';

const queryChars = 20_000;
const headChars = 2_000;
const mostHosts = 1_000;
/** The line with which an observation says where the agent is. */
const whereabouts =
  /^[ \t]{0,8}[[("']{0,2}(?:current |page |active tab )?(?:url|address|location)["']?[ \t]?[:=][ \t]?(.{1,500})/im;

/**
 * The hosts that a run has to do with: named by the task, reached for by an action, or where the agent says it was looking. That a
 * page, a mail or a result mentions a host does not make it one of them, nor that the agent speaks of it: what somebody
 * planted there must not become advice.
 */
export function visitedHosts({ query, turns }: Interaction, steps: readonly Step[]): Set<string> {
  const hosts = hostsIn(query.slice(0, queryChars));
  for (const { action, role } of steps) if (role !== 'talk') addAll(action.text);
  for (const { inputs, result = '' } of turns) {
    for (const text of [inputs, result]) addAll(whereabouts.exec(text.slice(0, headChars))?.[1] ?? '');
  }
  return hosts;

  function addAll(text: string): void {
    if (hosts.size < mostHosts) for (const host of hostsIn(text)) hosts.add(host);
  }
}
