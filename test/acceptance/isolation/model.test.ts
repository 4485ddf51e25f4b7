import { createModel, type Room } from './model.js';

const mine: Room = { account: 'a', tenantId: 'webarena', canary: 'zqmine' };
const sibling: Room = { account: 'a', tenantId: 'other', canary: 'zqsibling' };
const theirs: Room = { account: 'b', tenantId: 'webarena', canary: 'zqtheirs' };

function setUp() {
  const model = createModel([mine, sibling, theirs]);
  model.uploaded(mine, 'job-mine');
  model.uploaded(theirs, 'job-theirs');
  model.ended({ job_id: 'job-mine', status: 'completed', message: '', insights_stored: 2 });
  model.ended({ job_id: 'job-theirs', status: 'completed', message: '', insights_stored: 1 });
  return model;
}

/** The checker is checked: each of these is an answer with a planted bug. */
describe('the isolation model', () => {
  it('finds nothing wrong with a proper answer', () => {
    const proper = { text: 'grep zqmine', jobIds: ['job-mine'], rowIds: ['row-1'], count: 2, countIsAll: true };

    expect(setUp().violations(mine, proper)).toEqual([]);
  });

  it('notices text of another account', () => {
    expect(setUp().violations(mine, { text: 'use zqtheirs' })).toHaveLength(1);
  });

  it('notices text of another collection of the same account', () => {
    expect(setUp().violations(mine, { text: 'use zqsibling' })).toHaveLength(1);
  });

  it('notices a job of another account, and one that nobody uploaded', () => {
    expect(setUp().violations(mine, { text: '', jobIds: ['job-mine', 'job-theirs', 'job-made-up'] })).toHaveLength(2);
  });

  it('notices a row that another collection was shown before', () => {
    const model = setUp();
    model.violations(theirs, { text: '', rowIds: ['row-theirs'] });

    expect(model.violations(mine, { text: '', rowIds: ['row-theirs'] })).toHaveLength(1);
  });

  it('notices a count that includes what belongs to others', () => {
    expect(setUp().violations(mine, { text: '', count: 3 })).toHaveLength(1);
  });

  it('notices that a deletion by others took something away', () => {
    expect(setUp().violations(mine, { text: '', count: 1, countIsAll: true })).toHaveLength(1);
  });

  it('notices what comes back after its deletion', () => {
    const model = setUp();
    model.violations(mine, { text: '', count: 2, deleted: true });

    expect(model.violations(mine, { text: '', count: 2 })).toHaveLength(1);
  });
});
