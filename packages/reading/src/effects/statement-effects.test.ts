import type { Effect } from '@whetstone/contracts';
import { effectsOf } from './effects.js';
import { statementEffects, statementRows } from './statement-effects.js';

function effectsOfSql(text: string): readonly Effect[] {
  return effectsOf({ kind: 'sql', verb: '', text });
}

describe('the table of statements', () => {
  it.each(statementRows)('tells $effect: $yes, not $no', ({ effect, yes, no }) => {
    expect(effectsOfSql(yes)).toContain(effect);
    expect(effectsOfSql(no)).not.toContain(effect);
  });
});

describe('what a statement does', () => {
  it.each<[string, Effect[]]>([
    ['SELECT a FROM t WHERE b = 1', []],
    ["SELECT 'DROP DATABASE x; INTO' FROM t", []],
    ['SHOW TABLES', []],
    ['EXPLAIN DELETE FROM t', []],
    ['BEGIN; COMMIT;', []],
    ['SET search_path = x', []],
    ['PRAGMA table_info(t)', []],
    ['DELETE FROM t', ['destroys_all']],
    ['UPDATE t SET a = 1', ['destroys_all']],
    ['DELETE FROM t WHERE 1 = 1', ['destroys_all']],
    ["DELETE FROM t WHERE 'a' = 'a'", ['destroys_all']],
    ['DELETE FROM t WHERE true', ['destroys_all']],
    ['DELETE FROM t WHERE 1', ['destroys_all']],
    ['DELETE FROM t WHERE 1 = 2', ['destroys']],
    ['DELETE FROM t WHERE (1 = 1) OR a = 2', ['destroys_all']],
    ['DELETE FROM t WHERE a = a', ['destroys_all']],
    ["DELETE FROM t WHERE name LIKE '%'", ['destroys_all']],
    ['DELETE FROM t WHERE id > 0', ['destroys_all']],
    ['DELETE FROM t WHERE t.user_id IS NOT NULL AND rowid >= 1', ['destroys_all']],
    ["UPDATE t SET a = 1 WHERE id <> -1 AND id != ''", ['destroys_all']],
    ['DELETE FROM t WHERE id > 0 AND a = 2', ['destroys']],
    ['DELETE FROM t WHERE id > 10', ['destroys']],
    ['DELETE FROM t WHERE removed_at IS NOT NULL', ['destroys']],
    ["DELETE FROM t WHERE name LIKE '%x%'", ['destroys']],
    ['DELETE FROM t WHERE a = 1', ['destroys']],
    ['UPDATE t SET a = 1 WHERE b = 2', ['changes']],
    ['TRUNCATE t', ['destroys_all']],
    ['DROP TABLE t', ['destroys']],
    ['DROP DATABASE x', ['destroys', 'destroys_all']],
    ['DROP SCHEMA x', ['destroys', 'destroys_all']],
    ['ALTER TABLE t DROP COLUMN b', ['changes', 'destroys']],
    ['SHUTDOWN', ['destroys']],
    ['MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE', ['changes', 'destroys']],
    ['CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t WHERE old = 1', ['changes', 'persists']],
    ["SELECT cron.schedule('0 3 * * *', 'VACUUM')", ['persists']],
    ['WITH u AS (UPDATE t SET a = 1 WHERE b = 2 RETURNING *) SELECT * FROM u', ['changes']],
    ['WITH i AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM i', ['changes']],
    ['WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d', ['destroys']],
    ['WITH d AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM d', ['changes']],
    ['WITH x AS (SELECT 1) DELETE FROM t', ['destroys_all']],
    ['SELECT a INTO u FROM t', ['changes']],
    ['REVOKE ALL ON t FROM bob', ['changes']],
    ['GRANT ALL ON t TO bob', ['changes', 'widens_rights']],
    ['ALTER ROLE bob CREATEROLE', ['changes', 'widens_rights']],
    ['CREATE ROLE bob BYPASSRLS', ['changes', 'widens_rights']],
    ['CREATE USER bob SUPERUSER', ['changes', 'widens_rights']],
    ['PRAGMA foreign_keys = 0', ['changes', 'disables_safeguard']],
    ['PRAGMA writable_schema = ON', ['changes', 'disables_safeguard']],
    ['PRAGMA writable_schema = 1', ['changes', 'disables_safeguard']],
    ['SET unique_checks = 0', ['disables_safeguard']],
    ['SET sql_safe_updates = 0', ['disables_safeguard']],
    ['SET session_replication_role = replica', ['disables_safeguard']],
    ["SET session_replication_role = 'replica'", ['disables_safeguard']],
    ['DISABLE TRIGGER x ON t', ['changes', 'disables_safeguard']],
    ['ALTER TABLE t DISABLE ROW LEVEL SECURITY', ['changes', 'disables_safeguard']],
    ['ALTER TABLE t NOCHECK CONSTRAINT x', ['changes', 'disables_safeguard']],
    ['DROP POLICY x', ['destroys', 'disables_safeguard']],
    ["SELECT sys_exec('ls')", ['runs_fetched']],
    ["SELECT sys_eval('ls')", ['runs_fetched']],
    ["EXEC sp_OACreate 'x'", ['changes', 'runs_fetched']],
    ["EXEC xp_cmdshell 'rm x'", ['changes', 'destroys', 'runs_fetched']],
    ["COPY t TO PROGRAM 'rm x'", ['changes', 'destroys', 'runs_fetched']],
    ["EXEC ('DROP TABLE t')", ['changes', 'destroys']],
    ["EXEC 'DROP TABLE t'", ['changes', 'destroys']],
    ["EXEC x 'DROP TABLE t'", ['changes']],
    ["SELECT dblink_exec('x')", ['connects']],
    ["SELECT http_get('x')", ['connects']],
    ["SELECT http_post('x')", ['connects']],
    ["SELECT * FROM openrowset('x')", ['connects']],
    ["SELECT * FROM opendatasource('x')", ['connects']],
    ["SELECT utl_http.request('x')", ['connects']],
    ['DO $$ BEGIN END $$', ['changes', 'unreadable']],
    ['Please do it', ['unreadable']],
  ])('is told: %s', (text, effects) => {
    expect(effectsOfSql(text)).toEqual(effects);
  });

  it.each(
    'INSERT INTO t VALUES (1)|REPLACE INTO t VALUES (1)|MERGE INTO t USING u ON b = c WHEN MATCHED THEN UPDATE SET a = 1|CREATE TABLE t (b int)|ALTER TABLE t ADD b int|ATTACH DATABASE "x" AS y|DETACH x|EXEC x|CALL x(1)|LOAD DATA INFILE "x" INTO TABLE t|RENAME TABLE t TO u|REINDEX|VACUUM|COPY t FROM "x"|DECLARE x int'.split(
      '|',
    ),
  )('is to change something: %s', (text) => {
    expect(effectsOfSql(text)).toEqual(['changes']);
  });

  it('is told of each statement', () => {
    expect([...statementEffects('SELECT 1; DELETE FROM t; INSERT INTO t VALUES (1)').effects]).toEqual([
      'destroys_all',
      'changes',
    ]);
  });
});
