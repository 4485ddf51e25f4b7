import type { Turn, Upload } from './contract.js';

/** A successful run of a shell agent; its command is what a later attempt should be told. */
export function shellSuccess(tenantId: string, task: string, command: string, result = ''): Upload {
  return {
    tenant_id: tenantId,
    query: task,
    turns: [{ turn: 1, inputs: task, decision: command, result: result || 'exit code 0' }],
    success: true,
    agent_type: 'shell',
  };
}

/** Clearly different tasks with one decisive command each. */
export const lessons = {
  logs: {
    task: 'Find all .log files larger than 10 MB under /var and delete them',
    command: "find /var -name '*.log' -size +10M -delete",
    asked: 'Under /var, find all .log files larger than 10 MB, please, and delete them',
  },
  archive: {
    task: 'Create a gzip compressed tar archive of the directory /srv/photos',
    command: 'tar -czf photos.tar.gz -C /srv photos',
    asked: 'Please make a gzip compressed tar archive of the folder /srv/photos',
  },
  ports: {
    task: 'Show which process is listening on TCP port 8443',
    command: 'ss -ltnp sport = :8443',
    asked: 'Find out what program has TCP port 8443 open for listening',
  },
  sql: {
    task: 'Count the customers in each country with a SQL query on the customers table',
    command: 'SELECT country, COUNT(*) FROM customers GROUP BY country;',
    asked: 'Write SQL that tells how many customers there are per country',
  },
} as const;

export type Lesson = (typeof lessons)[keyof typeof lessons];

export function lessonUpload(tenantId: string, { task, command }: Lesson): Upload {
  return shellSuccess(tenantId, task, command);
}

/** A failed run with the error that stopped it. */
export function shellFailure(tenantId: string, task: string, turns: Turn[]): Upload {
  return { tenant_id: tenantId, query: task, turns, success: false, agent_type: 'shell' };
}
