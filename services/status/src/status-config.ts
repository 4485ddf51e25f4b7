import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ConfigOf, type ConfigSchema, type DataFolder, dataFolder } from '@whetstone/platform';

export const statusConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_STATUS_CATCH_UP_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 60_000,
      default: 3000,
      description: 'How long an answer about a job waits for the latest records before it is refused.',
    },
  },
} as const satisfies ConfigSchema;

export interface StatusConfig {
  /** File of the view; recreated if it is missing, corrupt or of another version. */
  databasePath: string;
  /** Likewise, of the view of the audit trail and the usage. */
  activityPath: string;
  catchUpTimeoutMs: number;
}

export function statusConfigOf(
  values: ConfigOf<typeof statusConfigSchema>,
  { status: databasePath, activity: activityPath }: ViewFiles,
): StatusConfig {
  return { databasePath, activityPath, catchUpTimeoutMs: values.WHETSTONE_STATUS_CATCH_UP_TIMEOUT_MS };
}

export const viewFolderConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_DATA: {
      type: 'string',
      minLength: 1,
      description:
        'Private folder for this process’s copy of the job records, the audit trail and the usage; keeping it makes the next start faster. If unset, a temporary folder.',
    },
  },
} as const satisfies ConfigSchema;

type ViewFiles = Pick<DataFolder, 'status' | 'activity'>;

interface ViewFolder {
  files: ViewFiles;
  close(): Promise<void>;
}

/** Holds nothing but a copy: what goes missing is read from the log again. */
export async function openViewFolder(path: string | undefined): Promise<ViewFolder> {
  if (path === undefined) {
    const temporary = await mkdtemp(join(tmpdir(), 'whetstone-status-'));
    const close = () => rm(temporary, { recursive: true, force: true });
    return { files: dataFolder(temporary), close };
  }
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { files: dataFolder(path), close: async () => {} };
}
