import { containsAction, jaccard, usesSimilarTools, utilitiesOf } from './actions.js';

describe('containsAction', () => {
  it('finds an action word for word, however its white space is broken', () => {
    expect(containsAction('Example: find /srv \\\n     -name x', 'find /srv \\ -name x')).toBe(true);
    expect(containsAction('use `ls -l`.', 'ls -l')).toBe(true);
    expect(containsAction('execute[ls -l]', 'ls -l')).toBe(true);
  });

  it('does not take a part of a longer word for it', () => {
    expect(containsAction('ls -la', 'ls -l')).toBe(false);
    expect(containsAction('/bin/ls -l', 'ls -l')).toBe(false);
    expect(containsAction('LS -L', 'ls -l')).toBe(false);
  });

  it('finds nothing by an empty action', () => {
    expect(containsAction('anything', ' ')).toBe(false);
  });

  it('looks on where the first place does not fit', () => {
    expect(containsAction('ls -la, then ls -l', 'ls -l')).toBe(true);
  });
});

const toolsOf = (action: string) => [...utilitiesOf(action)].sort();

describe('utilitiesOf', () => {
  it('names the programs of a shell command, those that others run too', () => {
    expect(toolsOf("find /srv -name '*.log | rm' -exec gzip {} \\; | wc -l")).toEqual(['find', 'gzip', 'wc']);
    expect(toolsOf('ls | xargs -0 -n 1 /bin/rm -f && sudo systemctl restart app')).toEqual([
      'ls',
      'rm',
      'sudo',
      'systemctl',
      'xargs',
    ]);
    expect(toolsOf('cd $(dirname $(which node))')).toEqual(['cd', 'dirname', 'which']);
    expect(toolsOf('LANG=C sort file > out; for f in *; do md5sum "$f"; done')).toEqual(['md5sum', 'sort']);
  });

  it('names the tool of a tool call and the clauses of an SQL statement', () => {
    expect(toolsOf('create_meeting({"people":["p_1"]})')).toEqual(['create_meeting']);
    expect(toolsOf('SELECT a, COUNT(*) FROM t LEFT JOIN u ON u.id = t.id GROUP BY a')).toEqual([
      'count',
      'from',
      'group by',
      'left join',
      'select',
    ]);
  });
});

describe('usesSimilarTools', () => {
  it('wants half of the tools of either to be shared', () => {
    expect(usesSimilarTools('find . | wc -l', 'find /srv')).toBe(true);
    expect(usesSimilarTools('find . | sort | wc -l', 'find /srv')).toBe(false);
    expect(jaccard(new Set(), new Set())).toBe(0);
  });
});
