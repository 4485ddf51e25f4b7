import type { Interaction } from '@whetstone/contracts';

import { reflect } from './reflect.js';

function usesOf(interaction: Partial<Interaction> & Pick<Interaction, 'turns'>): string[] {
  return reflect({ query: 'Tidy up what is left of the build', success: true, ...interaction }).run.uses;
}

function turns(...decisions: [decision: string, result: string][]): Interaction['turns'] {
  return decisions.map(([decision, result], index) => ({ turn: index + 1, inputs: '', decision, result }));
}

describe('what decided a run', () => {
  it('is the command that ended a successful one, program by program, with options and without names', () => {
    const uses = usesOf({
      agentType: 'shell',
      turns: turns(['ls -la /srv/build', 'total 4'], ["find /srv/build -name '*.o' -type f | xargs rm -f", '']),
    });

    expect(uses).toEqual(['find -name -type', 'xargs', 'rm -f']);
  });

  it('is what was tried last where it failed', () => {
    const uses = usesOf({
      agentType: 'shell',
      success: false,
      turns: turns(['rm *.o', 'rm: cannot remove *.o: No such file'], ['ls | grep -c o', '0']),
    });

    expect(uses).toEqual(['ls', 'grep -c']);
  });

  it('is, where tools were called, each look-up once and each change as often as it was made', () => {
    const uses = usesOf({
      turns: turns(
        ['get_order({"order_id": "17"})', '{"status": "open"}'],
        ['get_order({"order_id": "18"})', '{"status": "open"}'],
        ['cancel_item({"item": "a"})', 'ok'],
        ['cancel_item({"item": "b"})', 'ok'],
      ),
    });

    expect(uses).toEqual(['get_order', 'cancel_item', 'cancel_item']);
  });

  it('does not count tries at one thing as several uses', () => {
    const uses = usesOf({
      agentType: 'shell',
      success: false,
      turns: turns(['du -s /srv', '4'], ['du -h /srv', '4'], ['du -s /srv | sort | sort -u', '4']),
    });

    expect(uses).toEqual(['du -s', 'du -h', 'sort', 'sort -u']);
  });

  it('is the kind of statement and its features for SQL', () => {
    const uses = usesOf({
      agentType: 'sql',
      turns: turns(['SELECT region, SUM(amount) FROM sales GROUP BY region', 'north | 4']),
    });

    expect(uses).toEqual(['SELECT', '`GROUP BY`', '`SUM`']);
  });

  it('stays small, however long the run', () => {
    const many = Array.from({ length: 500 }, (_, index): [string, string] => [`update_row({"row": "${index}"})`, 'ok']);

    expect(usesOf({ turns: turns(...many) })).toHaveLength(16);
  });
});
