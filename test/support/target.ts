/** What the black-box suites know about the product: addresses and operator commands. */
export interface Target {
  baseUrl: string;
  opsUrl: string;
  /** Shell commands; `{account}`, `{key_id}` and `{sealed}` are filled in. */
  issueKeyCommand: string;
  revokeKeyCommand: string;
  openErrorCommand: string;
  /** Files and folders with everything the processes printed and wrote; empty if unknown. */
  output: string[];
}

const names = {
  baseUrl: 'WHETSTONE_TEST_URL',
  opsUrl: 'WHETSTONE_TEST_OPS_URL',
  issueKeyCommand: 'WHETSTONE_TEST_ISSUE_KEY',
  revokeKeyCommand: 'WHETSTONE_TEST_REVOKE_KEY',
  openErrorCommand: 'WHETSTONE_TEST_OPEN_ERROR',
} as const;
const outputName = 'WHETSTONE_TEST_OUTPUT';

/** Undefined if nothing is set; throws if only a part is. */
export function readTarget(env: NodeJS.ProcessEnv = process.env): Target | undefined {
  const missing = Object.values(names).filter((name) => !env[name]);
  if (missing.length === Object.values(names).length) return undefined;
  if (missing.length > 0) throw new Error(`To test a running product, also set ${missing.join(', ')}`);
  const value = (name: string) => env[name] as string;
  return {
    baseUrl: value(names.baseUrl).replace(/\/$/, ''),
    opsUrl: value(names.opsUrl).replace(/\/$/, ''),
    issueKeyCommand: value(names.issueKeyCommand),
    revokeKeyCommand: value(names.revokeKeyCommand),
    openErrorCommand: value(names.openErrorCommand),
    output: (env[outputName] ?? '').split(':').filter((path) => path !== ''),
  };
}

export function publishTarget(target: Target, env: NodeJS.ProcessEnv = process.env): void {
  for (const [field, name] of Object.entries(names)) env[name] = target[field as keyof typeof names];
  env[outputName] = target.output.join(':');
}

/** Set where another suite of the same run tries every case on the same code: one case in fifteen is enough here. */
export const shortSweeps = { WHETSTONE_TEST_SWEEPS: 'short' };

export function sweep<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, at) => at % 15 === 0 || process.env['WHETSTONE_TEST_SWEEPS'] !== 'short');
}

/** Collections that an account may have: 200 by default. A product with another limit is tested with this variable. */
export const collectionLimitName = 'WHETSTONE_TEST_MAX_COLLECTIONS';

export function collectionLimit(): number {
  return Number(process.env[collectionLimitName] ?? 200);
}

export function target(): Target {
  const known = readTarget();
  if (!known) throw new Error('No product to test: the global setup has not run');
  return known;
}
