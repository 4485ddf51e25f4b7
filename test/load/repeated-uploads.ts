import { randomNumbers } from '@whetstone/platform/test-kit';

const names = ['billing', 'checkout', 'search', 'mail', 'catalogue', 'reports', 'login', 'images', 'stock', 'prices'];
const places = ['staging', 'production', 'the test lab', 'the Berlin site', 'the backup site'];

type Wording = (where: string, value: number) => string;

interface Job {
  /** In the order of how often they are used. */
  wordings: [Wording, Wording, Wording];
  commands(unit: string, value: number): string[];
}

const jobs: Job[] = [
  {
    wordings: [
      (where, days) => `Delete log files older than ${days} days of ${where}`,
      (where, days) => `Remove logs of ${where} that are older than ${days} days`,
      (where, days) => `Free disk space: logs of ${where} beyond ${days} days can go`,
    ],
    commands: (unit, days) => [`ls /srv/${unit}/logs`, `find /srv/${unit}/logs -name '*.log' -mtime +${days} -delete`],
  },
  {
    wordings: [
      (where, count) => `Scale ${where} to ${count} replicas`,
      (where, count) => `Run ${count} replicas of ${where}`,
      (where, count) => `${where} needs ${count} instances, please set that`,
    ],
    commands: (unit, count) => [`kubectl get deploy ${unit}`, `kubectl scale deploy/${unit} --replicas=${count}`],
  },
  {
    wordings: [
      (where, days) => `Make a compressed archive of the uploads of ${where} of the last ${days} days`,
      (where, days) => `Pack what was uploaded to ${where} within ${days} days into an archive`,
      (where, days) => `Archive ${days} days of uploads of ${where} with gzip`,
    ],
    commands: (unit, days) => [
      `find /srv/${unit}/uploads -mtime -${days} -print0 > list`,
      `tar -czf ${unit}.tar.gz --null -T list`,
    ],
  },
  {
    wordings: [
      (where, status) => `Count requests with status ${status} in the access log of ${where}`,
      (where, status) => `How many requests of ${where} were answered with ${status}?`,
      (where, status) => `Report the number of ${status} answers of ${where}`,
    ],
    commands: (unit, status) => [
      `head -1 /var/log/${unit}/access.log`,
      `grep -c ' ${status} ' /var/log/${unit}/access.log`,
    ],
  },
];

const values = [30, 7, 14] as const;
const failures = ['Permission denied', 'No such file or directory', 'connection refused'] as const;

/**
 * Uploads of a fleet that does the same tasks again and again: most ask in the usual words with the usual value, and most
 * succeed. No two bodies are equal; a number always gives the same one.
 */
export function repeatedUpload(number: number, tasks: number, tenant: string) {
  const random = randomNumbers(number);
  const { query, commands } = someTask(random, tasks);
  const success = random() < 0.85;
  const failure = one(random, failures, [0.6, 0.3, 0.1]);
  const turns = commands.map((decision, index) => {
    const outcome = success || index === 0 ? 'ok' : `error: ${failure}`;
    const result = `${outcome}\nrequest ${number} took ${Math.floor(random() * 900)} ms`;
    return { turn: index + 1, inputs: index === 0 ? query : 'done', decision, result };
  });
  return { tenant_id: tenant, query, agent_type: 'shell', success, turns };
}

/** A question that nobody has asked, so that no cache knows it. */
export function unknownQuestion(number: number, tasks: number): string {
  return `${someTask(randomNumbers(-number), tasks).query}, request ${number}`;
}

function someTask(random: () => number, tasks: number) {
  const number = Math.floor(random() * tasks);
  const job = jobs[number % jobs.length] as Job;
  const rest = Math.floor(number / jobs.length);
  const unit = `${names[rest % names.length]}-${Math.floor(rest / names.length)}`;
  const where = `${unit} in ${places[rest % places.length]}`;
  const value = one(random, values, [0.8, 0.15, 0.05]);
  return { query: one(random, job.wordings, [0.7, 0.2, 0.1])(where, value), commands: job.commands(unit, value) };
}

function one<Value>(
  random: () => number,
  [first, second, third]: readonly [Value, Value, Value],
  shares: number[],
): Value {
  const at = random();
  const [most = 1, some = 0] = shares;
  return at < most ? first : at < most + some ? second : third;
}
