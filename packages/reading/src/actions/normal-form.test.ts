import type { Action } from './action.js';
import { actionHash, normalForm, objectsOf } from './normal-form.js';

function formOf(kind: Action['kind'], text: string): string {
  return normalForm({ kind, verb: '', text });
}

describe('the normal form of a command', () => {
  it.each([
    ['rm  -rf   ./x', 'rm -fr x', 'rm -f -r "x"', '/bin/rm x -r -f', "rm -rf 'x' # now"],
    ["find . -name '*.txt' -delete", 'find .  -name "*.txt" -delete', 'find . -name \\*.txt -delete'],
    ['ls|wc -l', 'ls | wc -l'],
    ['a; b', 'a\nb', 'a ;\n\nb'],
    ['a&&b', 'a && b'],
    ['head -n5 f', 'head -n 5 f', 'head f -n 5'],
    ['cut -d, -f1 f', 'cut -f 1 -d , f'],
    ['tar -czf a.tgz b', 'tar -z -c -f a.tgz b'],
    ['echo "$X"', 'echo $X', `echo $\{X}`],
    ['grep -rn "a b" . 2>/dev/null', "grep -n -r 'a b' . 2> /dev/null"],
    ['for f in a b; do x "$f"; done', 'for f in a b\ndo\n  x $f\ndone'],
    [`echo it\\'s`, `echo "it's"`],
    ['x -vv', 'x -v'],
  ])('is one for all spellings: %s', (...texts) => {
    expect(new Set(texts.map((text) => formOf('command', text))).size).toBe(1);
  });

  it.each([
    ['git reset --hard', 'git reset --soft'],
    ['deploy --env staging', 'deploy --env production'],
    ['mv a b', 'mv b a'],
    ['x -a 1 -b 2', 'x -b 1 -a 2'],
    ['x -a 1 -b', 'x -b 1 -a'],
    ['head -n 5 f', 'head -n 6 f'],
    ['head -n5 f', 'head -n6 f'],
    ['x --a=1', 'x --a=2'],
    ['a && b', 'a || b', 'a; b', 'a | b', 'a & b'],
    ['a > b', 'a >> b', 'a < b', 'a 2> b'],
    ['ls *.txt', "ls '*.txt'"],
    ['sudo x', 'x', 'sudo -u bob x'],
    ['A=1 x', 'A=2 x', 'env A=1 x'],
    ['x -- -a', 'x -a'],
    ['find . -name a -delete', 'find . -delete -name a'],
    ['cat <<E\na\nE', 'cat <<E\nb\nE'],
    ['x <<< a', 'x <<< b'],
    ['x $(a)', 'x $(b)'],
    ['x $A', 'x $B'],
    ['if a; then b; fi', 'if b; then a; fi'],
    ['$X a', '$X b'],
  ])('differs if the action does: %s, %s', (...texts) => {
    expect(new Set(texts.map((text) => formOf('command', text))).size).toBe(texts.length);
  });

  it('is readable', () => {
    expect(formOf('command', 'sudo -u bob  grep -rn "a b" ./src | sort > out')).toBe(
      "sudo -u bob grep -n -r 'a b' src | sort >out",
    );
    expect(formOf('command', 'x  $(a  b)')).toBe('x $(a  b)');
  });

  it('is the text on one line where it is no shell', () => {
    expect(formOf('command', "it's   so\nbad")).toBe("it's so bad");
  });
});

describe('the normal form of SQL', () => {
  it.each([
    ['SELECT a FROM t;', 'select  A from "T"', 'SELECT t.a FROM t', 'SELECT x.a FROM t AS x', 'SELECT x.a FROM t x'],
    [
      'SELECT T1.a FROM s AS T1 JOIN c T2 ON T1.i = T2.j',
      'select s.a from s inner join c on s.i=c.j',
      'SELECT y.a FROM s y INNER JOIN c z ON y.i = z.j',
    ],
    ['SELECT a FROM t WHERE b = "Bob"', "SELECT a FROM t WHERE b == 'Bob'"],
    ['SELECT a FROM t WHERE b <> 1', 'SELECT a FROM t WHERE b != 1'],
    ['SELECT a FROM t ORDER BY a ASC', 'SELECT a FROM t ORDER BY a'],
    ['SELECT a FROM t LEFT OUTER JOIN u ON b = c', 'SELECT a FROM t LEFT JOIN u ON b = c'],
    ['SELECT x.a FROM t x, u y', 'SELECT t.a FROM t, u'],
    ['UPDATE t AS x SET a = 1 WHERE x.b = 2', 'UPDATE t SET a = 1 WHERE b = 2'],
  ])('is one for all spellings: %s', (...texts) => {
    expect(new Set(texts.map((text) => formOf('sql', text))).size).toBe(1);
  });

  it.each([
    ['SELECT a FROM t', 'SELECT b FROM t', 'SELECT a FROM u', 'SELECT a FROM t ORDER BY a DESC'],
    ["SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'X'"],
    ['SELECT x.a FROM t x JOIN t y ON x.b = y.c', 'SELECT y.a FROM t x JOIN t y ON x.b = y.c'],
    ['SELECT x.a FROM t x, u y', 'SELECT y.a FROM t x, u y'],
    ['SELECT 1; SELECT 2', 'SELECT 2; SELECT 1'],
  ])('differs if the action does: %s, %s', (...texts) => {
    expect(new Set(texts.map((text) => formOf('sql', text))).size).toBe(texts.length);
  });

  it('is readable', () => {
    expect(formOf('sql', 'select count(*) as n, T.a from shop.t T where T.b in (1,2); select 1')).toBe(
      'SELECT count(*) AS n , a FROM shop.t WHERE b IN(1 , 2); SELECT 1',
    );
    expect(formOf('sql', 'select  this\nis none')).toBe('select this is none');
  });
});

describe('the normal form of other actions', () => {
  const action = (given: Partial<Action>): Action => ({ kind: 'call', verb: 'x', text: '', ...given });

  it('is a call with its arguments sorted', () => {
    expect(normalForm(action({ args: { b: 1, a: { d: [2], c: null } } }))).toBe('x({"a":{"c":null,"d":[2]},"b":1})');
    expect(normalForm(action({ verb: 'click', args: { '0': 'Buy Now' } }))).not.toBe(
      normalForm(action({ verb: 'click', args: { '0': 'Cancel Order' } })),
    );
    expect(normalForm(action({ object: 'order' }))).toBe('x(order)');
    expect(normalForm(action({ args: {} }))).toBe('x()');
  });

  it('is a request with its path and its body', () => {
    expect(normalForm(action({ kind: 'http', verb: 'post', object: '/orders', args: { b: 1, a: 2 } }))).toBe(
      'POST /orders {"a":2,"b":1}',
    );
    expect(normalForm(action({ kind: 'http', verb: 'GET', object: '/orders' }))).toBe('GET /orders');
  });

  it('is an edit with its file and its change', () => {
    expect(normalForm(action({ kind: 'edit', object: 'a.py', args: { new: 'b' } }))).toBe('edit a.py {"new":"b"}');
    expect(normalForm(action({ kind: 'edit', object: 'a.py', text: '-a\n+b' }))).toBe('edit a.py -a +b');
  });

  it('is the words of a reply, a thought and an end', () => {
    expect(formOf('reply', 'Yes, I will — größer!')).toBe('yes i will größer');
    expect(formOf('think', 'Hm.')).toBe('think hm');
    expect(formOf('finish', '')).toBe('finish');
  });

  it('is code without comments, blank lines and needless blanks', () => {
    expect(formOf('code', '# a\nif  x:\n\tprint("b");  \n\n// c\n')).toBe("if x:\n    print('b')");
  });

  it('has an end, and still tells long ones apart', () => {
    const long = (end: string) => formOf('reply', `${'word '.repeat(2_000)}${end}`);
    expect(long('a').length).toBeLessThan(2_100);
    expect(long('a')).not.toBe(long('b'));
  });

  it('is bounded in depth', () => {
    let nested: Action['args'] = { a: 1 };
    for (let depth = 0; depth < 5_000; depth++) nested = { a: nested };
    expect(normalForm(action({ args: nested })).length).toBeLessThan(2_000);
  });
});

describe('the hash of an action', () => {
  it('is short and of its form alone', () => {
    expect(actionHash('ls')).toMatch(/^[0-9a-f]{10}$/);
    expect(actionHash('ls')).toBe(actionHash('ls'));
    expect(actionHash('ls')).not.toBe(actionHash('ls -l'));
  });
});

describe('the objects of an action', () => {
  it.each<[Action, string[]]>([
    [{ kind: 'command', verb: '', text: 'find . -exec rm {} \\; | sort; X=1; find /' }, ['find', 'rm', 'sort']],
    [{ kind: 'command', verb: '', text: "it's" }, []],
    [
      { kind: 'command', verb: '', text: '[ -d a ] && ls a && find a -exec touch b \\; -exec {} \\;' },
      ['ls', 'find', 'touch'],
    ],
    [{ kind: 'sql', verb: '', text: 'SELECT a FROM t JOIN u ON b = c; SELECT a FROM t' }, ['t', 'u']],
    [{ kind: 'sql', verb: '', text: 'what' }, []],
    [{ kind: 'code', verb: '', text: 'os.remove(x)\nprint(1)' }, ['os.remove', 'print']],
    [{ kind: 'call', verb: 'cancel', object: 'order', text: '' }, ['cancel', 'order']],
    [{ kind: 'call', verb: 'cancel', text: '' }, ['cancel']],
    [{ kind: 'http', verb: 'GET', object: '/orders?id=1#a', text: '' }, ['/orders']],
    [{ kind: 'edit', verb: 'edit', object: 'a.py', text: '' }, ['a.py']],
    [{ kind: 'reply', verb: 'reply', text: 'Yes' }, []],
  ])('are what it is about: %j', (action, objects) => {
    expect(objectsOf(action)).toEqual(objects);
  });

  it('are not too many', () => {
    const text = Array.from({ length: 50 }, (_, at) => `x${at}`).join('; ');
    expect(objectsOf({ kind: 'command', verb: '', text })).toHaveLength(20);
  });
});
