import { readSql, type SqlStatement } from '../sql/sql.js';
import { createFindings, type EffectRow, type Findings, rowsOf } from './effect-table.js';

/**
 * Statements by verb (`*`: any), then, after a colon, by phrases of which one must occur. `WHERE`: restricted to some rows,
 * `!WHERE`: unrestricted.
 */
export const statementRows: readonly EffectRow[] = rowsOf({
  destroys_all: [
    ['DELETE|UPDATE: !WHERE', 'UPDATE t SET a = 1', 'UPDATE t SET a = 1 WHERE id = 2'],
    ['TRUNCATE', 'TRUNCATE TABLE t', 'SELECT * FROM t'],
    ['DROP: DROP DATABASE|DROP SCHEMA', 'DROP DATABASE shop', 'DROP TABLE t'],
  ],
  destroys: [
    ['DELETE: WHERE', 'DELETE FROM t WHERE id = 2', 'SELECT * FROM t WHERE id = 2'],
    ['DROP', 'DROP VIEW v', "SELECT 'drop view v'"],
    ['ALTER: DROP', 'ALTER TABLE t DROP COLUMN a', 'ALTER TABLE t ADD COLUMN a int'],
    ['*: ( DELETE FROM', 'WITH d AS (DELETE FROM t) SELECT * FROM d', 'WITH d AS (SELECT * FROM t) SELECT * FROM d'],
    ['MERGE: THEN DELETE', 'MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE', 'MERGE INTO t USING s ON a = b'],
    ['SHUTDOWN', 'SHUTDOWN;', 'COMMIT;'],
    ['*: pg_terminate_backend (|pg_cancel_backend (', 'SELECT pg_terminate_backend(pid) FROM a', 'SELECT pid FROM a'],
  ],
  widens_rights: [
    ['GRANT', 'GRANT ALL ON t TO bob', 'REVOKE ALL ON t FROM bob'],
    ['*: pg_read_file (|pg_ls_dir (|load_file (|lo_import (', "SELECT pg_read_file('x')", "SELECT 'pg_read_file'"],
    [
      'INSERT|UPDATE: is_admin = true|is_admin = 1|is_superuser = true|is_superuser = 1|is_staff = true|is_staff = 1',
      'UPDATE u SET is_admin = true WHERE id = 7',
      'UPDATE u SET is_admin = false WHERE id = 7',
    ],
    ['CREATE|ALTER: superuser|createrole|bypassrls', 'ALTER ROLE bob SUPERUSER', 'ALTER ROLE bob RENAME TO rob'],
  ],
  disables_safeguard: [
    ['PRAGMA: foreign_keys = off|foreign_keys = 0', 'PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON'],
    ['PRAGMA: writable_schema = ON|writable_schema = 1', 'PRAGMA writable_schema = ON', 'PRAGMA writable_schema = 0'],
    ['SET: foreign_key_checks = 0|unique_checks = 0', 'SET foreign_key_checks = 0', 'SET foreign_key_checks = 1'],
    ['SET: sql_safe_updates = 0', 'SET sql_safe_updates = 0', 'SET sql_safe_updates = 1'],
    [
      "SET: session_replication_role = replica|session_replication_role = ''",
      'SET session_replication_role = replica',
      'SET a = b',
    ],
    [
      'ALTER|DISABLE: DISABLE TRIGGER|DISABLE ROW level',
      'ALTER TABLE t DISABLE TRIGGER ALL',
      'ALTER TABLE t ADD a int',
    ],
    ['ALTER: nocheck CONSTRAINT', 'ALTER TABLE t NOCHECK CONSTRAINT x', 'ALTER TABLE t ADD CONSTRAINT x'],
    ['*: sp_configure', "EXEC sp_configure 'xp_cmdshell', 1", 'EXEC sp_help'],
    ['DROP: DROP TRIGGER|DROP policy', 'DROP TRIGGER audit', 'DROP TABLE audit'],
  ],
  runs_fetched: [
    ['COPY: PROGRAM', "COPY t FROM PROGRAM 'curl x'", "COPY t FROM 'x.csv'"],
    ['*: xp_cmdshell|sp_oacreate', "EXEC xp_cmdshell 'ls'", "EXEC x 'ls'"],
    ['*: load_extension (|sys_exec (|sys_eval (', "SELECT load_extension('x')", "SELECT upper('x')"],
  ],
  connects: [
    [
      '*: dblink (|dblink_connect (|dblink_exec (|http_get (|http_post (',
      "SELECT dblink('host=a.example', 'x')",
      'SELECT * FROM links',
    ],
    ['*: openrowset (|opendatasource (|utl_http .', "SELECT utl_http.request('x')", 'SELECT * FROM utl'],
  ],
  installs: [['CREATE: CREATE EXTENSION', 'CREATE EXTENSION hstore', 'CREATE TABLE t (a int)']],
  persists: [
    ['CREATE: CREATE event', 'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1', 'CREATE TABLE event (a int)'],
    ['*: cron . schedule (', "SELECT cron.schedule('0 3 * * *', 'x')", 'SELECT * FROM schedule'],
  ],
  changes: [
    ['INSERT|REPLACE|MERGE|CREATE|ALTER|RENAME|LOAD|COPY|REINDEX|VACUUM', 'INSERT INTO t VALUES (1)', 'SELECT 1'],
    ['ATTACH|DETACH|EXEC|CALL|DO|DECLARE|DISABLE|GRANT|REVOKE', 'CALL x(1)', 'SELECT x(1)'],
    ['?', 'SELECT a FROM t; RECONFIGURE', 'SELECT a FROM t; COMMIT'],
    ['UPDATE: WHERE', 'UPDATE t SET a = 1 WHERE id = 2', 'SELECT a FROM t WHERE id = 2'],
    ['*: ( INSERT INTO|( UPDATE', 'WITH u AS (UPDATE t SET a = 1 WHERE b = 2) SELECT * FROM u', "SELECT '( UPDATE'"],
    ['SELECT: INTO', 'SELECT * INTO copy FROM t', 'SELECT * FROM t'],
    ['SET: SET global|SET persist', "SET GLOBAL general_log_file = 'x'", 'SET search_path = shop'],
    ['PRAGMA: =', 'PRAGMA journal_mode = WAL', 'PRAGMA table_info(t)'],
  ],
  unreadable: [['DO', 'DO $$ BEGIN PERFORM 1; END $$', 'BEGIN;']],
});

const compiled = statementRows.map(({ effect, pattern }) => {
  const [verbs = '', phrases = ''] = pattern.split(': ');
  return { effect, verbs: new Set(verbs.split('|')), phrases: phrases.split('|') };
});

export function statementEffects(text: string): Findings {
  const findings = createFindings();
  const statements = readSql(text);
  if (statements === undefined) findings.add('unreadable');
  for (const statement of statements ?? []) {
    // Strings are data.
    const phrase = ` ${statement.tokens.map((token) => (token.startsWith("'") ? "''" : token)).join(' ')} `;
    const has = (part: string) =>
      part.endsWith('WHERE') ? (part === 'WHERE') === narrows(statement) : part === '' || phrase.includes(` ${part} `);
    for (const { effect, verbs, phrases } of compiled) {
      if ((verbs.has(statement.verb) || verbs.has('*')) && phrases.some(has)) findings.add(effect);
    }
    for (const part of executedBy(statement)) findings.executed.push(part);
  }
  return findings;
}

/** Holds for every row: `1 = 1`, `a = a`, `name LIKE '%'`, and of ids also `id > 0` and `id IS NOT NULL`. */
const always =
  /^(?:\( )*(?:true|1|(\S+) = \1|\S+ LIKE '%+'|(?:\S+ \. )?(?:\w+_)?(?:row)?id (?:IS NOT NULL|>=? -? ?[01]|!= (?:-? ?\d|'')))(?: \))*$/i;

/** Whether each alternative of the condition restricts the rows. */
function narrows({ hasWhere, tokens }: SqlStatement): boolean {
  const condition = tokens.slice(tokens.indexOf('WHERE') + 1).join(' ');
  const alternatives = condition.split(/ or /i).map((one) => one.split(/ and /i));
  return hasWhere && !alternatives.some((parts) => parts.every((part) => always.test(part.trim())));
}

/** Text that a statement passes to a shell or executes as SQL. */
function executedBy({ verb, tokens }: SqlStatement): Findings['executed'] {
  const text = tokens.find((token) => token.startsWith("'"));
  if (text === undefined) return [];
  const content = text.slice(1, -1).replaceAll("''", "'");
  if (tokens.includes('xp_cmdshell') || (verb === 'COPY' && tokens.includes('PROGRAM')))
    return [{ kind: 'command', text: content }];
  const dynamic = verb === 'EXEC' && (tokens[1] === '(' || tokens[1] === text);
  return dynamic ? [{ kind: 'sql', text: content }] : [];
}
