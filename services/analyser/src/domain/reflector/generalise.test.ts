import { generalise, generaliseError, generaliseTask, namesIn, withoutValuesOf } from './generalise.js';

describe('generalise', () => {
  it.each([
    ['Send it to ada@example.com by 2024-03-05 14:30', 'Send it to <email> by <date>'],
    ['order ord_55120 costs $49.90', 'order <id> costs <amount>'],
    ['flight ZX81QT on May 20th', 'flight <id> on <date>'],
    ['due on 3. März 2026 or 20 May, and not on 12.04.2026', 'due on <date> or <date>, and not on <date>'],
    ['49,90 € or 1.200,50 EUR or 3000円', '<amount> or <amount> or <amount>'],
    ['call 555-201-9988 about 4711-220', 'call <id> about <id>'],
    ['step 5 may fail in 2019-2020, see pages 10-20', 'step 5 may fail in <number>-<number>, see pages 10-20'],
    ['open https://shop.example/x?y=1 now', 'open <url> now'],
    ['copy /srv/a/b.txt to ../c/d', 'copy <path> to <path>'],
    [
      'compute md5sum, sha256 and base64 of files/directories in utf-8',
      'compute md5sum, sha256 and base64 of files/directories in utf-8',
    ],
  ])('%j becomes %j', (text, general) => {
    expect(generalise(text)).toBe(general);
  });

  it('keeps people out of a sentence when the data of the run names them', () => {
    const names = namesIn('{"first_name": "Ada", "last_name": "Marlow", "city": "Bath"}');

    expect(generalise('Ada Marlow from Bath cannot return it', names)).toBe('… from … cannot return it');
    expect(generalise("'Pay as Ada Marlow', or on Ada's card", names)).toBe("'Pay as …', or on …'s card");
  });

  it('takes the values of a call out of its error, and no part of another word', () => {
    const call = 'rename_channel({"channel": "can", "name": "tea"})';

    expect(withoutValuesOf(call, 'The channel can cannot become tea, nor a team.')).toBe(
      'The channel … cannot become …, nor a team.',
    );
  });

  it('turns a task into its kind', () => {
    expect(generaliseTask(`Print lines 10 to 20 of "notes.md", I'm in a hurry`, 100)).toBe(
      "Print lines N to N of …, I'm in a hurry",
    );
  });

  it.each([
    ["rm: cannot remove '/srv/x': No such file or directory", 'rm', "cannot remove '…': No such file or directory"],
    ["cp: unrecognized option '--exclude=*.raw'", 'cp', "unrecognized option '--exclude'"],
    ['/bin/bash: line 3: foo: command not found', 'foo', 'command not found'],
    ['Error: total is 305, but paid 255', 'book', 'total is N, but paid N'],
    ['404 Not Found', 'get', '404 Not Found'],
    ['/usr/bin/python3: No module named sow', 'python3', 'No module named sow'],
  ])('gives the error %j of %s its general form', (message, speaker, form) => {
    expect(generaliseError(message, speaker, 200)).toBe(form);
  });
});
