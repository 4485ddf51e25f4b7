import type { Effect } from '@whetstone/contracts';
import { type Findings, found } from './findings.js';
import { readSql, type SqlStatement } from './sql.js';

/** A statement by its verb (`*`: any), by phrases of which it has one, and by whether it says `WHERE`. */
export interface StatementRow {
  effect: Effect;
  verbs: string;
  phrases?: string;
  where?: boolean;
  yes: string;
  no: string;
}

export const statementRows: readonly StatementRow[] = [
  {
    effect: 'destroys_all',
    verbs: 'DELETE|UPDATE',
    where: false,
    yes: 'UPDATE t SET a = 1',
    no: 'UPDATE t SET a = 1 WHERE id = 2',
  },
  { effect: 'destroys_all', verbs: 'TRUNCATE', yes: 'TRUNCATE TABLE t', no: 'SELECT * FROM t' },
  {
    effect: 'destroys_all',
    verbs: 'DROP',
    phrases: 'DROP DATABASE|DROP SCHEMA',
    yes: 'DROP DATABASE shop',
    no: 'DROP TABLE t',
  },
  {
    effect: 'destroys',
    verbs: 'DELETE',
    where: true,
    yes: 'DELETE FROM t WHERE id = 2',
    no: 'SELECT * FROM t WHERE id = 2',
  },
  { effect: 'destroys', verbs: 'DROP', yes: 'DROP VIEW v', no: "SELECT 'drop view v'" },
  {
    effect: 'destroys',
    verbs: 'ALTER',
    phrases: 'DROP',
    yes: 'ALTER TABLE t DROP COLUMN a',
    no: 'ALTER TABLE t ADD COLUMN a int',
  },
  {
    effect: 'destroys',
    verbs: '*',
    phrases: '( DELETE FROM',
    yes: 'WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d',
    no: 'WITH d AS (SELECT * FROM t) SELECT * FROM d',
  },
  {
    effect: 'destroys',
    verbs: 'MERGE',
    phrases: 'THEN DELETE',
    yes: 'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE',
    no: 'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = 1',
  },
  { effect: 'destroys', verbs: 'SHUTDOWN', yes: 'SHUTDOWN;', no: 'COMMIT;' },
  { effect: 'widens_rights', verbs: 'GRANT', yes: 'GRANT ALL ON t TO bob', no: 'REVOKE ALL ON t FROM bob' },
  {
    effect: 'widens_rights',
    verbs: 'CREATE|ALTER',
    phrases: 'superuser|createrole|bypassrls',
    yes: 'ALTER ROLE bob SUPERUSER',
    no: 'ALTER ROLE bob RENAME TO rob',
  },
  {
    effect: 'disables_safeguard',
    verbs: 'PRAGMA',
    phrases:
      'foreign_keys = off|foreign_keys = 0|writable_schema = ON|writable_schema = 1|ignore_check_constraints = 1',
    yes: 'PRAGMA foreign_keys = OFF',
    no: 'PRAGMA foreign_keys = ON',
  },
  {
    effect: 'disables_safeguard',
    verbs: 'SET',
    phrases:
      "foreign_key_checks = 0|unique_checks = 0|sql_safe_updates = 0|session_replication_role = replica|session_replication_role = ''",
    yes: 'SET foreign_key_checks = 0',
    no: 'SET foreign_key_checks = 1',
  },
  {
    effect: 'disables_safeguard',
    verbs: 'ALTER|DISABLE',
    phrases: 'DISABLE TRIGGER|DISABLE ROW level|nocheck CONSTRAINT',
    yes: 'ALTER TABLE t DISABLE TRIGGER ALL',
    no: 'ALTER TABLE t ENABLE TRIGGER ALL',
  },
  {
    effect: 'disables_safeguard',
    verbs: 'DROP',
    phrases: 'DROP TRIGGER|DROP policy',
    yes: 'DROP TRIGGER audit',
    no: 'DROP TABLE audit',
  },
  {
    effect: 'runs_fetched',
    verbs: 'COPY',
    phrases: 'PROGRAM',
    yes: "COPY t FROM PROGRAM 'curl x'",
    no: "COPY t FROM 'x.csv'",
  },
  {
    effect: 'runs_fetched',
    verbs: '*',
    phrases: 'xp_cmdshell|load_extension (|sys_exec (|sys_eval (|sp_oacreate',
    yes: "SELECT load_extension('x')",
    no: "SELECT upper('x')",
  },
  {
    effect: 'connects',
    verbs: '*',
    phrases: 'dblink (|dblink_exec (|http_get (|http_post (|openrowset (|opendatasource (|utl_http .',
    yes: "SELECT * FROM dblink('host=example.com', 'SELECT 1')",
    no: 'SELECT * FROM links',
  },
  {
    effect: 'installs',
    verbs: 'CREATE',
    phrases: 'CREATE EXTENSION',
    yes: 'CREATE EXTENSION hstore',
    no: 'CREATE TABLE t (a int)',
  },
  {
    effect: 'persists',
    verbs: 'CREATE',
    phrases: 'CREATE event',
    yes: 'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1',
    no: 'CREATE TABLE event (a int)',
  },
  {
    effect: 'persists',
    verbs: '*',
    phrases: 'cron . schedule (',
    yes: "SELECT cron.schedule('0 3 * * *', 'x')",
    no: 'SELECT * FROM schedule',
  },
  {
    effect: 'changes',
    verbs:
      'INSERT|REPLACE|MERGE|CREATE|ALTER|ATTACH|DETACH|EXEC|CALL|LOAD|RENAME|REINDEX|VACUUM|REVOKE|GRANT|COPY|DO|DECLARE|DISABLE',
    yes: 'INSERT INTO t VALUES (1)',
    no: 'SELECT 1',
  },
  {
    effect: 'changes',
    verbs: 'UPDATE',
    where: true,
    yes: 'UPDATE t SET a = 1 WHERE id = 2',
    no: 'SELECT a FROM t WHERE id = 2',
  },
  {
    effect: 'changes',
    verbs: '*',
    phrases: '( INSERT INTO|( UPDATE',
    yes: 'WITH u AS (UPDATE t SET a = 1 WHERE id = 2 RETURNING *) SELECT * FROM u',
    no: "SELECT '( UPDATE'",
  },
  { effect: 'changes', verbs: 'SELECT', phrases: 'INTO', yes: 'SELECT * INTO copy FROM t', no: 'SELECT * FROM t' },
  { effect: 'changes', verbs: 'PRAGMA', phrases: '=', yes: 'PRAGMA journal_mode = WAL', no: 'PRAGMA table_info(t)' },
  { effect: 'unreadable', verbs: 'DO', yes: 'DO $$ BEGIN PERFORM 1; END $$', no: 'BEGIN;' },
];

const compiled = statementRows.map((row) => ({
  ...row,
  verbSet: new Set(row.verbs.split('|')),
  phraseList: row.phrases?.split('|').map((phrase) => ` ${phrase} `),
}));

export function statementEffects(text: string): Findings {
  const all = found();
  const statements = readSql(text);
  if (statements === undefined) all.add('unreadable');
  for (const statement of statements ?? []) {
    // What a string holds is data and says nothing.
    const phrase = ` ${statement.tokens.map((token) => (token.startsWith("'") ? "''" : token)).join(' ')} `;
    for (const row of compiled) {
      if (!row.verbSet.has(statement.verb) && !row.verbSet.has('*')) continue;
      if (row.where !== undefined && row.where !== narrows(statement)) continue;
      if (row.phraseList === undefined || row.phraseList.some((part) => phrase.includes(part))) all.add(row.effect);
    }
    for (const part of executedBy(statement)) all.executed.push(part);
  }
  return all;
}

/** `WHERE 1 = 1` narrows nothing. */
function narrows({ hasWhere, tokens }: SqlStatement): boolean {
  const condition = tokens.slice(tokens.indexOf('WHERE') + 1).join(' ');
  return hasWhere && !/^(?:true|(\d+|'[^']{0,20}') = \1|1)$/.test(condition);
}

/** Text that a statement hands to a shell or runs as a statement. */
function executedBy({ verb, tokens }: SqlStatement): Findings['executed'] {
  const text = tokens.find((token) => token.startsWith("'"));
  if (text === undefined) return [];
  const content = text.slice(1, -1).replaceAll("''", "'");
  if (tokens.includes('xp_cmdshell') || (verb === 'COPY' && tokens.includes('PROGRAM')))
    return [{ kind: 'command', text: content }];
  const dynamic = verb === 'EXEC' && (tokens[1] === '(' || tokens[1] === text);
  return dynamic ? [{ kind: 'sql', text: content }] : [];
}
