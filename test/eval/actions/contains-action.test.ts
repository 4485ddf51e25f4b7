import { containsAction } from './contains-action.js';

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
