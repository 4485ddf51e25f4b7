import { describeCommand, shownLine } from './describe-command.js';

describe('describeCommand', () => {
  it.each([
    [
      "find /a -type f -name '*.log' -mtime +7 -delete",
      '`find` selects regular files by name (`-name`) and age in days (`-mtime`) and deletes them itself (`-delete`)',
    ],
    [
      'sort -k2 -rn x | uniq -c',
      '`sort -k2 -rn` orders the lines by a chosen field, in descending order and numerically; `uniq -c` drops repeated lines counting them',
    ],
    ['tar czf a.tgz -C /srv data', '`tar -C` works on archives from another folder'],
    ['tar -xzf a.tgz', '`tar -xzf` extracts an archive with gzip and in a file'],
    ['git checkout -b topic', '`git checkout topic` works on the repository'],
    ["awk '{s += $2} END {print s}' x", '`awk` computes on fields line by line (summing up, printed at END)'],
    [
      'find . -print0 | xargs -0 grep -l todo',
      '`find` selects files, NUL-separated (`-print0`, safe for spaces); `xargs -0` passes the names on NUL-separated; `grep -l` names the files that match',
    ],
    ['find . -type constructor', '`find` selects files'],
    ['frobnicate --hard x', '`frobnicate --hard`'],
  ])('says how %j works', (command, words) => {
    expect(describeCommand(command).clauses.join('; ')).toBe(words);
  });

  it('finds the programs inside substitutions, -exec, xargs and sh -c', () => {
    const { programs } = describeCommand(
      `comm -3 <(ls a) <(ls b) && find . -exec sh -c 'basename "$1"' _ {} \\; | xargs -n 1 rev`,
    );

    expect(programs).toEqual(['comm', 'ls', 'find', 'sh', 'basename', 'xargs', 'rev']);
  });
});

it('leaves to find what stands behind the command that it runs', () => {
  const { clauses } = describeCommand("find docs -name '*.md' -exec touch {} \\; -print | wc -l");

  expect(clauses[0]).toBe(
    '`find` selects files by name (`-name`) and hands over one match at a time (`-exec … \\;`), naming each (`-print`)',
  );
  expect(clauses[1]).toMatch(/^`touch`/);
});

it.each([
  ['cd site && sed -i s/a/b/ index.html && nl index.html | head -3', '`sed -i && nl | head`'],
  ["find . -name '*.o' -exec rm {} + ; ls", '`find -name -exec rm; ls`'],
  ['mkdir -p "$(dirname a/b)"', '`mkdir -p $(dirname)`'],
  ['cd site', '`cd`'],
])('shows how the calls of %j follow on each other', (command, line) => {
  expect(shownLine(command)).toBe(line);
});
