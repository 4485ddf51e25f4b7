import { splitWords } from './words.js';

describe('splitWords', () => {
  it.each([
    ['Find the Files', ['find', 'the', 'file']],
    ['SELECT * FROM users;', ['select', 'from', 'user']],
    ['find . -name x --dry-run', ['find', '-name', 'name', 'x', '--dry', 'dry', 'run']],
    ['a well-known /var/log path', ['a', 'well', 'known', 'var', 'log', 'path']],
    ['file_name', ['file_name', 'file', 'name']],
    ['getUserById', ['getuserbyid', 'get', 'user', 'by', 'id']],
    ['parseJSON utf8', ['parsejson', 'parse', 'json', 'utf8', 'utf', '8']],
    ['boxes cities class status bus', ['boxe', 'city', 'class', 'status', 'bus']],
    ['Straße ＡＢＣ', ['straße', 'abc']],
    ['数据库 表', ['数据', '据库', '表']],
    ['', []],
    ['!!! --- ...', []],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('limits the length of a word', () => {
    expect(splitWords('x'.repeat(100_000)).every((word) => word.length <= 64)).toBe(true);
  });
});
