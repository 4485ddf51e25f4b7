import { readSql } from './sql.js';
import { tokenizeSql } from './sql-tokens.js';

describe('the tokens of SQL', () => {
  const texts = (text: string) => tokenizeSql(text)?.map((token) => `${token.kind[0]}:${token.text}`);

  it.each([
    ["a 'it''s' \"B c\" `d` [e f]", ['w:a', "s:it's", 'n:B c', 'n:d', 'n:e f']],
    ["E'a\\'b' N'c' x'0f' b'1'", ["s:a\\'b", 's:c', 's:0f', 's:1']],
    ['$$a $b$ c$$ $tag$d$$e$tag$', ['s:a $b$ c', 's:d$$e']],
    ['1 2.5 .5 1e-3', ['n:1', 'n:2.5', 'n:.5', 'n:1e-3']],
    ['a--b\nc /* d */ e', ['w:a', 'w:c', 'w:e']],
    [
      'a<=b<>c!=d||e::f->>g->h:=i==j<=>k',
      'w:a o:<= w:b o:<> w:c o:!= w:d o:|| w:e o::: w:f o:->> w:g o:-> w:h o::= w:i o:== w:j o:<=> w:k'.split(' '),
    ],
    ['? :name @x #t $1 %', ['o:?', 'w::name', 'w:@x', 'w:#t', 'w:$1', 'o:%']],
    ['"a"[1]', ['n:a', 'o:[', 'n:1', 'o:]']],
    ['größe', ['w:größe']],
    [`E'it''s' "a""b" \`c\`\`d\``, ["s:it's", 'n:a"b', 'n:c`d']],
    ['a/b', ['w:a', 'o:/', 'w:b']],
  ])('are read: %s', (text, tokens) => {
    expect(texts(text)).toEqual(tokens);
  });

  it.each(["'a", '"a', '`a', '[a', '/* a', '$$a', 'a \u0000', 'a «b»'])(
    'are none where something is wrong: %s',
    (text) => {
      expect(tokenizeSql(text)).toBeUndefined();
    },
  );

  it('are none of a text that is too long', () => {
    expect(tokenizeSql('a '.repeat(110_000))).toBeUndefined();
    expect(tokenizeSql('a '.repeat(90_000))).toHaveLength(90_000);
  });
});

describe('a batch', () => {
  it('may have a statement that only its dialect knows', () => {
    const batch = "EXEC sp_help 'pots'; RECONFIGURE; SELECT id FROM pots";
    expect(readSql(batch)?.map(({ verb }) => verb)).toEqual(['EXEC', '?', 'SELECT']);
  });

  it.each(['RECONFIGURE; CHECKPOINT', 'SELECT id FROM pots; then water them', 'SELECT id FROM pots; Water them'])(
    'is not %j',
    (text) => {
      expect(readSql(text)).toBeUndefined();
    },
  );
});

describe('a statement', () => {
  it('has a verb, tables and tokens', () => {
    expect(
      readSql('select T1."Name", count(*) from Singer as T1 join concert t2 on T1.id = t2.sid where x <> \'B\';'),
    ).toEqual([
      {
        verb: 'SELECT',
        tables: ['singer', 'concert'],
        hasWhere: true,
        tokens:
          "SELECT t1 . name , count ( * ) FROM singer AS t1 JOIN concert t2 ON t1 . id = t2 . sid WHERE x != 'B'".split(
            ' ',
          ),
      },
    ]);
  });

  it.each([
    ['SELECT a FROM b, c d WHERE a = 1', ['b', 'c']],
    ['SELECT a FROM shop.orders', ['shop.orders']],
    ['WITH x AS (SELECT a FROM y) SELECT a FROM x', ['y']],
    ['SELECT a FROM (SELECT a FROM b) c', ['b']],
    ['INSERT INTO a (b) SELECT c FROM d', ['a', 'd']],
    ['UPDATE a SET b = 1', ['a']],
    ['DELETE FROM a USING b WHERE a.c = b.c', ['a', 'b']],
    ['DROP TABLE IF EXISTS a', ['a']],
    ['CREATE TABLE IF NOT EXISTS a (b int)', ['a']],
    ['CREATE INDEX i ON a (b)', ['a']],
    ['GRANT ALL ON a TO bob', ['a']],
    ['REVOKE ALL ON a FROM bob', ['a', 'bob']],
    ['TRUNCATE a', ['a']],
    ["COPY a FROM 'x'", ['a']],
    ['DESCRIBE a', ['a']],
    ['DESC a', ['a']],
    ['CREATE VIEW a AS SELECT b FROM c', ['a', 'c']],
    ['ALTER TABLE ONLY t ADD b int', ['t']],
    ['SELECT a, sum(b) FROM t GROUP BY a, c ORDER BY a, d', ['t']],
    ['SELECT a FROM t ORDER BY a, d', ['t']],
    ['SELECT a FROM t UNION SELECT b, c FROM u', ['t', 'u']],
    ['INSERT INTO t SELECT a FROM u ON CONFLICT (a) DO UPDATE SET b = 1, c = 2', ['t', 'u']],
    ['DELETE FROM t WHERE a = 1 RETURNING a, b', ['t']],
    ['SELECT a FROM t JOIN u ON t.a = u.a, v', ['t', 'u', 'v']],
    ['DELETE FROM user WHERE id = 1', []],
    ['UPDATE role SET name = 1 WHERE id = 1', []],
    ['DELETE FROM type WHERE id = 1', []],
    ['DROP SCHEMA public CASCADE', []],
  ])('names its tables: %s', (text, tables) => {
    expect(readSql(text)?.[0]?.tables).toEqual(tables);
  });

  it.each([
    ['SELECT a FROM b WHERE c = 1', true],
    ['SELECT a FROM b', false],
    ['DELETE FROM a', false],
    ["UPDATE a SET b = 'where'", false],
    ['SELECT a FROM (SELECT a FROM b WHERE c = 1) d', false],
    ['WITH x AS (SELECT 1) DELETE FROM a WHERE b = 1', true],
  ])('has a condition at its top or not: %s', (text, hasWhere) => {
    expect(readSql(text)?.[0]?.hasWhere).toBe(hasWhere);
  });

  it('has text in double quotes for a string where it is compared or listed', () => {
    const tokens = (text: string) => readSql(text)?.[0]?.tokens.join(' ');
    for (const operator of [
      '=',
      '==',
      '<>',
      '!=',
      '<',
      '>',
      '<=',
      '>=',
      'LIKE',
      'ILIKE',
      'GLOB',
      'REGEXP',
      'BETWEEN',
    ]) {
      expect(tokens(`SELECT "A" FROM t WHERE b ${operator} "Bob"`)).toMatch(/^SELECT a FROM t WHERE b .* 'Bob'$/);
    }
    expect(tokens('SELECT a FROM t WHERE b IN ("C", "D")')).toContain("( 'C' , 'D' )");
    expect(tokens('INSERT INTO t VALUES ("C"), ("D")')).toContain("( 'C' ) , ( 'D' )");
    expect(tokens('SELECT a FROM t WHERE b = "T"."C"')).toContain('= t . c');
    expect(tokens('SELECT max("A") FROM t')).toContain('max ( a )');
    expect(tokens('SELECT "a b" FROM t')).toContain('"a b"');
  });

  it.each([
    ['WITH x AS (DELETE FROM a) SELECT * FROM x', 'SELECT'],
    ['WITH x AS (SELECT 1) INSERT INTO a SELECT * FROM x', 'INSERT'],
    ['WITH x AS (SELECT 1) UPDATE a SET b = 1', 'UPDATE'],
    ['WITH x AS (SELECT 1) MERGE INTO a USING x ON a.b = x.b', 'MERGE'],
    ['WITH x AS (SELECT 1) REPLACE INTO a SELECT * FROM x', 'REPLACE'],
    ['SHOW GRANTS', 'SHOW'],
    ['EXPLAIN DELETE FROM a', 'EXPLAIN'],
    ['EXPLAIN ANALYZE DELETE FROM a', 'DELETE'],
    ['EXECUTE a', 'EXEC'],
    ['(SELECT 1)', 'SELECT'],
    ['-- first\nSELECT 1', 'SELECT'],
    ['/* first */ SELECT 1', 'SELECT'],
  ])('has the verb of what it does: %s', (text, verb) => {
    expect(readSql(text)?.map((statement) => statement.verb)).toEqual([verb]);
  });

  it('is one of several', () => {
    expect(readSql("SELECT ';'; ; DROP TABLE a;")?.map(({ verb }) => verb)).toEqual(['SELECT', 'DROP']);
    expect(
      readSql(
        'CREATE TRIGGER x AFTER INSERT ON b BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM c; END; SELECT 1',
      )?.map(({ verb }) => verb),
    ).toEqual(['CREATE', 'SELECT']);
    expect(readSql('SELECT 1; and then some')).toBeUndefined();
    expect(readSql('SELECT 1;'.repeat(1_001))).toBeUndefined();
  });
});

/** One a line; every shape of a statement that is known. */
const statements = `
SELECT a FROM b
SELECT a FROM (SELECT 1) c
SELECT a INTO b
SELECT 1
SELECT 'a'
SELECT *
SELECT @@version
SELECT (1)
SELECT -1
SELECT now()
SELECT upper('a')
WITH a AS (SELECT 1) SELECT 1
WITH RECURSIVE a (n) AS (SELECT 1) SELECT 1
WITH a (n) AS (SELECT 1) SELECT 1
VALUES (1)
INSERT INTO a VALUES (1)
INSERT OR IGNORE INTO a SELECT 1
INSERT INTO a DEFAULT VALUES
INSERT INTO a SET b = 1
INSERT INTO a WITH b AS (SELECT 1) SELECT 1
INSERT a VALUES (1)
REPLACE INTO a VALUES (1)
REPLACE INTO a SELECT 1
UPDATE a SET b = 1
UPDATE a AS c SET b = 1
DELETE FROM a
DELETE c FROM t c
MERGE INTO a USING b ON c = d
MERGE a USING b ON c = d
TRUNCATE TABLE t
TRUNCATE a
DROP TABLE t
DROP INDEX a
DROP VIEW a
DROP MATERIALIZED a
DROP TABLE IF EXISTS t
ALTER TABLE t ADD b int
ALTER TABLE t DROP b
ALTER TABLE t RENAME TO b
ALTER TABLE t ALTER b SET NOT NULL
ALTER TABLE t MODIFY b int
ALTER TABLE t CHANGE b c int
ALTER TABLE t SET b
ALTER TABLE t DISABLE TRIGGER b
ALTER TABLE t ENABLE TRIGGER b
ALTER TABLE t OWNER TO bob
ALTER TABLE t CONVERT TO b
ALTER TABLE t CHECK CONSTRAINT b
ALTER TABLE t NOCHECK CONSTRAINT b
ALTER TABLE t ATTACH PARTITION b
ALTER TABLE t DETACH PARTITION b
ALTER TABLE t RESET b
ALTER TABLE t VALIDATE CONSTRAINT b
ALTER TABLE IF EXISTS t ADD b int
ALTER SYSTEM SET a = 1
CREATE TABLE t (b int)
CREATE TEMP TABLE t (b int)
CREATE TABLE t AS SELECT 1
CREATE TABLE t LIKE b
CREATE TABLE IF NOT EXISTS t (b int)
CREATE OR REPLACE VIEW a AS SELECT 1
CREATE UNIQUE INDEX a ON b (c)
CREATE INDEX ON b (c)
CREATE SCHEMA IF NOT EXISTS t
GRANT ALL ON a TO bob
REVOKE ALL ON a FROM bob
COPY a FROM 'x'
COPY a TO 'x'
COPY (SELECT 1) TO 'x'
EXEC a
EXEC ('a')
EXECUTE a
EXECUTE ('a')
CALL a(1)
ATTACH DATABASE 'a' AS b
DETACH DATABASE a
DETACH a
PRAGMA a
PRAGMA a = 1
PRAGMA a(b)
EXPLAIN SELECT 1
EXPLAIN INSERT INTO a VALUES (1)
EXPLAIN UPDATE a SET b = 1
EXPLAIN DELETE FROM a
EXPLAIN WITH a AS (SELECT 1) SELECT 1
SHOW TABLES
SHOW DATABASES
SHOW SCHEMAS
SHOW COLUMNS FROM a
SHOW INDEX FROM a
SHOW INDEXES IN a
SHOW VARIABLES LIKE 'a'
SHOW GRANTS FOR bob
SHOW PROCESSLIST
SHOW CREATE TABLE t
SHOW CREATE VIEW a
SHOW CREATE DATABASE a
SHOW FULL TABLES
SHOW FULL COLUMNS FROM a
SHOW FULL PROCESSLIST
DESCRIBE a
DESCRIBE TABLE t
DESC a
DESC TABLE t
USE a
SET a = 1
SET ROLE bob
SET SESSION a
BEGIN
BEGIN TRANSACTION
START TRANSACTION
COMMIT
COMMIT TRANSACTION
ROLLBACK
ROLLBACK TRANSACTION
ROLLBACK TO a
SAVEPOINT a
END
VACUUM
VACUUM a
VACUUM FULL
ANALYZE
ANALYZE a
REINDEX
REINDEX TABLE t
REINDEX DATABASE a
LOAD DATA INFILE 'a' INTO TABLE b
LOAD XML INFILE 'a' INTO TABLE b
RENAME TABLE t TO b
DISABLE TRIGGER a ON b
DO $$ BEGIN END $$
DECLARE n int
SHUTDOWN
SELECT a FROM user
INSERT INTO ? VALUES (?)
`;

const objects =
  'DATABASE SCHEMA TRIGGER FUNCTION PROCEDURE SEQUENCE TYPE EXTENSION ROLE USER LOGIN DOMAIN POLICY SERVER TABLESPACE EVENT';

describe('a text that is SQL', () => {
  it('is read whatever its statement', () => {
    const missed = statements
      .trim()
      .split('\n')
      .filter((text) => readSql(text) === undefined);
    expect(missed).toEqual([]);
  });

  it.each(objects.split(' '))('is read where it is about a %s', (object) => {
    expect(readSql(`CREATE ${object} x`)).toHaveLength(1);
    expect(readSql(`ALTER ${object} x y`)).toHaveLength(1);
    expect(readSql(`DROP ${object} x`)).toHaveLength(1);
    expect(readSql(`DROP ${object} IF EXISTS a`)).toHaveLength(1);
  });
});

describe('a text that is not SQL', () => {
  it.each([
    'Select a seat for me',
    'Select a seat from the list',
    'select a seat from economy',
    'select the seat from economy',
    'select your seat from economy',
    'select my seat from economy',
    'select this seat from economy',
    'Select all that apply',
    'Select the best from your offers and tell me',
    'Update the customer on progress',
    'Update my order and set it to express',
    'Delete the file',
    'Delete from an old list',
    'Insert the coin',
    'Create table for two',
    'Create a table',
    'Drop the table',
    'drop index card',
    'alter user settings',
    'create user john',
    'Alter table settings',
    'Show tables for four',
    'Show full report',
    'Set a = 1 please.',
    'SELECT a FROM b WHERE c is what I want!',
    'Grant access to bob',
    'Truncate it',
    'Call me (soon)',
    'Execute plan',
    'Use apple',
    'Begin',
    'Commit',
    'With love',
    'Explain it',
    'Copy that',
    'ls -la',
    'hello',
    '',
    'SELECT a FROM "b',
    'WITH a AS (SELECT 1)',
  ])('is not read: %s', (text) => {
    expect(readSql(text)).toBeUndefined();
  });

  it.each(
    'use a|exec a|execute a|describe a|desc a|begin|start transaction|commit|rollback|end|analyze a|vacuum|set a = 1|savepoint a|shutdown|declare n int|truncate a|detach a|call a(1)|do $$a$$|grant all on a to bob|revoke all on a from bob'.split(
      '|',
    ),
  )('may be one in lower case only with its semicolon: %s', (text) => {
    expect(readSql(text)).toBeUndefined();
    expect(readSql(`${text};`)).toHaveLength(1);
    expect(readSql(`${text}; select 1`)).toHaveLength(2);
  });

  it.each([
    'drop table a',
    'drop database a',
    'drop schema a',
    'drop view a',
    'create or replace view a as select 1',
    'create unique index a on b (c)',
    'create temp table a (b int)',
    'create temporary table a (b int)',
  ])('is SQL in lower case where nothing else begins so: %s', (text) => {
    expect(readSql(text)).toHaveLength(1);
  });

  it('may have columns that are called like words', () => {
    for (const text of [
      'CREATE TABLE t (a int, the text)',
      'ALTER TABLE t ADD COLUMN a int',
      'ALTER TABLE t ADD a int',
      'ALTER TABLE t MODIFY a int',
      'ALTER TABLE t CHANGE a b int',
      'ALTER TABLE t ALTER a type',
    ]) {
      expect(readSql(text)).toHaveLength(1);
    }
  });
});

describe('the keywords of SQL', () => {
  it.each(
    `ADD ALL ALTER ANALYZE AND ANY AS ASC ATTACH AUTOINCREMENT BEGIN BETWEEN BY CALL CASCADE CASE CAST CHECK COLLATE
    COLUMN COMMIT CONFLICT CONSTRAINT COPY CREATE CROSS CURRENT DATABASE DECLARE DEFAULT DELETE DESC DESCRIBE
    DETACH DISABLE DISTINCT DO DROP ELSE ENABLE END ESCAPE EXCEPT EXEC EXECUTE EXISTS EXPLAIN EXTENSION FETCH
    FILTER FOREIGN FROM FULL FUNCTION GLOB GRANT GROUP HAVING IF IGNORE ILIKE IN INDEX INNER INSERT INTERSECT
    INTERVAL INTO IS JOIN KEY LATERAL LEFT LIKE LIMIT LOAD MATERIALIZED MERGE NATURAL NOT NOTHING NULL NULLS OFFSET
    ON ONLY OR ORDER OUTER OVER PARTITION PRAGMA PRIMARY PRIVILEGES PROCEDURE PROGRAM PUBLIC RECURSIVE REFERENCES
    REGEXP REINDEX RENAME REPLACE RETURNING REVOKE RIGHT ROLE ROLLBACK ROW ROWS SCHEMA SELECT SEQUENCE SET SHOW
    START TABLE TEMP TEMPORARY THEN TO TOP TRANSACTION TRIGGER TRUNCATE TYPE UNION UNIQUE UPDATE USE USER USING
    VACUUM VALUES VIEW WHEN WHERE WINDOW WITH`.split(/\s+/),
  )('are written large: %s', (word) => {
    expect(readSql(`SELECT 1 ${word.toLowerCase()} X`)?.[0]?.tokens).toEqual(['SELECT', '1', word, 'x']);
  });
});
