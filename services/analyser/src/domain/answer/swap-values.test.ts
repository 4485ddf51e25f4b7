import { changesFormat, type Swap, swapsBetween, withSwaps } from './swap-values.js';
import { prepare } from './task-words.js';

describe('the values of the new task', () => {
  it.each([
    ['wc -l /srv/a.txt', [['/srv/a.txt', '/srv/b.txt']], 'wc -l /srv/b.txt'],
    ['find . -size +10M', [['10', '25']], 'find . -size +25M'],
    ['find . -mtime -7 -ls', [['7', '30']], 'find . -mtime -30 -ls'],
    ["sed -n '7p' f", [['7', '9']], "sed -n '9p' f"],
    ["WHERE city = 'Rome' OR town = 'Rome'", [['Rome', 'Oslo']], "WHERE city = 'Oslo' OR town = 'Oslo'"],
    [
      'cp a.txt b.txt',
      [
        ['a.txt', 'b.txt'],
        ['b.txt', 'c.txt'],
      ],
      'cp b.txt c.txt',
    ],
    ["d >= '2022-01-01' AND d <= '2022-12-31'", [['2022', '2021']], "d >= '2021-01-01' AND d <= '2021-12-31'"],
    ['ls', [], 'ls'],
    ['heat({"room": 5})\nlight({"room": 5})', [['5', '8']], 'heat({"room": 8})\nlight({"room": 8})'],
    ["cat '/srv/a'", [['/srv/a', '/srv/my docs']], "cat '/srv/my docs'"],
    ['ls *.txt', [['*.txt', '*.md']], 'ls *.md'],
    ['ffmpeg -i clip.mov clip.mp4', [['clip.mov', 'talk.mov']], 'ffmpeg -i talk.mov talk.mp4'],
    ['tar czf /b/site.tar.gz /www/site', [['/www/site', '/www/blog']], 'tar czf /b/blog.tar.gz /www/blog'],
    ['data = read("data.csv")\ndata.mean', [['data.csv', 'sums.csv']], 'data = read("sums.csv")\ndata.mean'],
    ['head -5 a-5.txt', [['5', '8']], 'head -8 a-5.txt'],
    ['flags set --share 10', [['10%', '25%']], 'flags set --share 25'],
    ['fill --to 80 --by 5', [['$80', '$95']], 'fill --to 95 --by 5'],
    ['grep /srv/x.log > /tmp/x', [['/srv/x.log', '/var/x.log']], 'grep /var/x.log > /tmp/x'],
  ] as [string, [string, string][], string][])('are filled in: %s', (text, swaps, expected) => {
    expect(withSwaps(text, swaps)).toBe(expected);
  });

  it.each([
    ['head -5 a 2> b', '5', '7', 'head -7 a 2> b'],
    ["head -5 a | awk '{print $4}'", '5', '7', "head -7 a | awk '{print $4}'"],
    ['serve -p 9000:80', '9000', '9090', 'serve -p 9090:80'],
    ['sleep 30; poll 12', '30', '60', 'sleep 60; poll 12'],
  ])('are filled in beside a number that has nothing to do with them: %s', (text, was, is, expected) => {
    expect(withSwaps(text, [[was, is]])).toBe(expected);
  });

  it.each([
    ['magick a.png -resize 40% a_thumb.png', undefined],
    ['magick a.png -resize 40% thumb.png', 'magick b.png -resize 40% thumb.png'],
  ])('are not filled in where another name begins with that of the file: %s', (text, expected) => {
    expect(withSwaps(text, [['a.png', 'b.png']])).toBe(expected);
  });

  it('are filled in beside a number that may follow, but that the task gives', () => {
    const text = 'find -size +10M -mtime +20';

    expect(withSwaps(text, [['10', '50']])).toBeUndefined();
    expect(withSwaps(text, [['10', '50']], (value) => value === '20')).toBe('find -size +50M -mtime +20');
  });

  it('may be 12 am where the example says am', () => {
    expect(withSwaps('at 3 am', [['3', '12', 'twelve']])).toBe('at 12 am');
  });

  it.each([
    ['3', '12'],
    ['12', '3'],
  ])('are known to be hours: %s and %s', (past, now) => {
    const tokens = (hour: string) => prepare(`Run the sync at ${hour} a.m. each day`).tokens;
    expect(swapsBetween(tokens(past), tokens(now))).toEqual([[past, now, 'twelve']]);
    expect(swapsBetween(tokens('3'), tokens('4'))).toEqual([['3', '4']]);
  });

  it.each([
    ['it does not occur', 'ls -l', [['7', '8']]],
    ['it is part of another word', 'cat v7x', [['7', '8']]],
    ['it is part of another number', 'head -c 70', [['7', '8']]],
    ['it follows a decimal point', 'sleep 0.7', [['7', '8']]],
    ['it precedes a decimal point', 'sleep 7.5', [['7', '8']]],
    ['letters that are no unit follow it', '7zip x', [['7', '8']]],
    ['a short number is of two names', 'book({"room": 5, "people": 5})', [['5', '8']]],
    ['a short number occurs twice', 'head -1 | cut -f 1', [['1', '8']]],
    ['the word continues', 'cat Romeo', [['Rome', 'Oslo']]],
    ['the word started earlier', 'cat deRome', [['Rome', 'Oslo']]],
    ['it is part of a name', 'run --size standard-2', [['2', '5']]],
    ['another date may follow from it', "d >= '2022-01-01' AND d < '2023-01-01'", [['2022', '2021']]],
    ['another number may follow from it', 'year IN (2023, 2022)', [['2023', '2021']]],
    ['a multiple of it stands there', 'LIMIT 20 OFFSET 40', [['20', '50']]],
    ['a multiple of it has its unit', 'encode -b 2M -buffer 4M', [['2M', '5M']]],
    ['the number after it stands there', 'head -n 1 a; tail -n +2 a', [['1', '2']]],
    ['the number before it stands there', 'split -n 4 a; seq 0 3', [['4', '8']]],
    ['it would end a quotation', "grep 'foo'", [['foo', "it's"]]],
    ['it would become two words', 'find /srv/a -delete', [['/srv/a', '/srv/my docs']]],
    ['it would match several files', 'rm /srv/a', [['/srv/a', '/srv/*']]],
    ['only the beginning of it may have been read', 'ls /srv/a', [['/srv/a', '/srv/b/']]],
    ['it is no whole number as the other was', '0 3 * * * run', [['3', '3:30']]],
    ['it is an hour that may count as 0', '0 3 * * * run', [['3', '12', 'twelve']]],
    ['it would be an option', 'cat "a.txt"', [['a.txt', '-n.txt']]],
    ['the name would be an option', 'mv /in/clip.mov clip.mp4', [['/in/clip.mov', '/in/-f.mov']]],
    ['the name would become two words', "mv '/in/clip.mov' clip.mp4", [['/in/clip.mov', '/in/my talk.mov']]],
    ['the name stays in another one', 'mv bill.docx out/bill_final.pdf', [['bill.docx', 'memo.docx']]],
    ['the name stays as a word', 'rotate app.log --prefix app', [['app.log', 'db.log']]],
    ['it stays in a name', 'psql -c "\\copy t TO rome_t.csv WHERE c = \'Rome\'"', [['Rome', 'Oslo']]],
    ['their units differ', 'wait 10', [['10s', '5min']]],
    ['it is a part of an id', 'refund --count 1', [['A-1', 'A-7']]],
    ['a login made from the name stays', 'useradd -c "Vera Ricci" vricci', [['Ricci', 'Okri']]],
    ['a number stays in a name', 'cut --to 200 -o cut_200.png', [['200', '640']]],
    ['a short number stays in a size', 'cut --to 20 -o 20x10.png', [['20', '64']]],
    ['its folder stays', 'sort /srv/in/a.txt -o /srv/in/b', [['/srv/in/a.txt', '/srv/up/a.txt']]],
    ['it would start another command', 'grep foo', [['foo', 'a;b']]],
    [
      'two overlap',
      'cat /srv/a',
      [
        ['/srv', '/x'],
        ['/srv/a', '/y'],
      ],
    ],
  ] as [string, string, Swap[]][])('are not filled in if %s', (_, text, swaps) => {
    expect(withSwaps(text, swaps)).toBeUndefined();
  });
});

describe('the name of something, as a plain word', () => {
  const swaps = (past: string, now: string) => swapsBetween(prepare(past).tokens, prepare(now).tokens);
  const ledger: readonly Swap[] = [['ledger', 'mailer', 'named']];

  it.each([
    ['Restart the ledger service', 'Restart the mailer service'],
    ['Restart the service ledger on web1', 'Restart the service mailer on web1'],
  ])('stands beside the word for what it is: %s', (past, now) => {
    expect(swaps(past, now)).toEqual(ledger);
  });

  it('goes with other values', () => {
    expect(swaps('Scale the ledger service to 3 pods', 'Scale the mailer service to 5 pods')).toEqual([
      ...ledger,
      ['3', '5'],
    ]);
  });

  it('is no kind if it is a month', () => {
    expect(swaps('Book the hall for 4 May', 'Book the hall for 9 June')).toEqual([
      ['4', '9'],
      ['May', 'June'],
    ]);
    expect(swaps('Drucke die Rechnung 900 zweimal', 'Drucke die Mahnung 901 zweimal')).toEqual([
      ['Rechnung', 'Mahnung', 'kind'],
      ['900', '901'],
    ]);
  });

  it.each([
    ['the verb differs', 'Restart the ledger service', 'Inspect the ledger service'],
    ['it is what the task is about', 'Show the totals of ledger', 'Show the totals of mailer'],
    ['two words differ', 'Restart the ledger service on web', 'Restart the mailer service on api'],
    ['it stands there twice', 'Copy the ledger file to the ledger folder', 'Copy the mailer file to the mailer folder'],
    ['it describes', 'Restart the ledger service', 'Restart the failing service'],
  ])('is not swapped if %s', (_, past, now) => {
    expect(swaps(past, now)).toBeUndefined();
  });

  it('is swapped where a command names it, and nowhere else', () => {
    expect(withSwaps('systemctl restart ledger', ledger)).toBe('systemctl restart mailer');
    expect(withSwaps('kubectl exec deploy/ledger -- pg_dump ledger_db', ledger)).toBeUndefined();
    expect(withSwaps('kubectl get pods --namespace ledger', ledger)).toBeUndefined();
    expect(withSwaps('SELECT total FROM ledger', ledger)).toBeUndefined();
  });
});

it('needs two words besides the values, or a phrase of a script without spaces', () => {
  const swaps = (past: string, now: string) => swapsBetween(prepare(past).tokens, prepare(now).tokens);

  expect(swaps('取消订单17', '取消订单23')).toEqual([['17', '23']]);
  expect(swaps('订单17', '订单23')).toBeUndefined();
  expect(swaps('Cancel 17', 'Cancel 23')).toBeUndefined();
});

it.each([
  ['/srv/a.tar.gz', '/srv/a.zip', true],
  ['/srv/a.tar.gz', '/srv/b.tar.gz', false],
  ['/srv/a', '/srv/b.zip', false],
  ['/srv/*.txt', '/srv/*.md', false],
  ['a.csv', 'b.xlsx', true],
  ['a.tar.gz', 'a.zip', true],
  ['a.csv', 'a.parquet', true],
  ['a.csv', 'b.csv', false],
  ['.csv', '.tsv', false],
  ['*.txt', '*.md', false],
  ['stock.items', 'stock.orders', false],
  ['db.example.com', 'db.example.org', false],
  ['acme.de', 'acme.fr', false],
  ['move.py', 'move.sh', true],
  ['ada@example.com', 'ada@example.org', false],
])('%s and %s have different formats: %s', (past, now, expected) => {
  expect(changesFormat([[past, now]])).toBe(expected);
});
