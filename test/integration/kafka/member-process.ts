import { openMember } from './open-member.js';

/** Joins the groups given as topic, session timeout, topic, …, until it is killed. Prints the topic of every event it gets. */
const [brokers = '', ...groups] = process.argv.slice(2);
for (let index = 0; index < groups.length; index += 2) {
  const [topic = '', sessionTimeoutMs = ''] = groups.slice(index);
  await openMember({ brokers, topic, sessionTimeoutMs, onEvent: () => console.log(topic) });
}
