import { constants, DatabaseSync } from '@photostructure/sqlite';

/** What a query may do to a database that lives as long as this process: nothing outside of it. */
export interface SqlRequest {
  schema: string;
  tables: Record<string, unknown[][]>;
  sql: string;
}

export interface SqlAnswer {
  rows: unknown[][];
  tables: Record<string, unknown[][]>;
  error?: string;
}

const mostRows = 500;

function answer({ schema, tables, sql }: SqlRequest): SqlAnswer {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA hard_heap_limit = 200000000');
  database.exec(schema);
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      database.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`).run(...(row as string[]));
    }
  }
  const forbidden = [constants.SQLITE_ATTACH, constants.SQLITE_DETACH, constants.SQLITE_PRAGMA];
  database.setAuthorizer((code) => (forbidden.includes(code) ? constants.SQLITE_DENY : constants.SQLITE_OK));
  let rows: unknown[][] = [];
  let error: string | undefined;
  try {
    for (const statement of sql.split(';')) {
      if (statement.trim() === '') continue;
      const prepared = database.prepare(statement);
      prepared.setReturnArrays(true);
      rows = [];
      for (const row of prepared.iterate()) if (rows.push(row as unknown as unknown[]) >= mostRows) break;
    }
  } catch (problem) {
    error = (problem as Error).message;
  }
  database.setAuthorizer(null);
  const after = Object.keys(tables).map((table) => {
    const all = database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`);
    all.setReturnArrays(true);
    return [table, all.all()] as const;
  });
  return {
    rows,
    tables: Object.fromEntries(after) as unknown as SqlAnswer['tables'],
    ...(error === undefined ? {} : { error }),
  };
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
process.stdout.write(JSON.stringify(answer(JSON.parse(Buffer.concat(chunks).toString()) as SqlRequest)));
