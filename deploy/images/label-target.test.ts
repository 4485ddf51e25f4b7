import { labelTarget } from './label-target.js';

const dockerfile = 'FROM a AS files\nRUN x\n\nFROM b AS gateway\nCMD ["g"]\n\nFROM b AS status\nCMD ["s"]\n';

describe('labels of an image', () => {
  it('are the last step of its target, which is the last of the file', () => {
    expect(labelTarget(dockerfile, 'gateway', { version: '1.0.0', revision: 'c0ffee' })).toBe(
      'FROM a AS files\nRUN x\n\nFROM b AS gateway\nCMD ["g"]\nLABEL version="1.0.0"\nLABEL revision="c0ffee"\n',
    );
    expect(labelTarget(dockerfile, 'status', { version: '1' })).toBe(`${dockerfile}LABEL version="1"\n`);
  });

  it('are what was given, to the letter', () => {
    expect(labelTarget(dockerfile, 'status', { source: 'a "b" $c \\d' })).toContain(
      'LABEL source="a \\"b\\" \\$c \\\\d"\n',
    );
  });
});
