import { countNamed, mayBeName } from './named-operands.js';

describe('a plain word of a task', () => {
  it.each(['checkout', 'ledger', 'redis', 'payments', 'search'])('may be a name: %s', (word) => {
    expect(mayBeName(word)).toBe(true);
  });

  it.each(['failing', 'stopped', 'oldest', 'available', 'whole', 'stuck', 'old', 'the', 'a-b', 'x1', 'Ada', 'up'])(
    'is none: %s',
    (word) => {
      expect(mayBeName(word)).toBe(false);
    },
  );
});

describe('commands', () => {
  it.each([
    ['kubectl rollout restart deployment ledger', 1],
    ['kubectl logs deployment/ledger --tail=100', 1],
    ['systemctl start ledger', 1],
    ['cd /srv && systemctl stop ledger && systemctl start ledger', 2],
    ['cd /srv\nsystemctl start ledger', 1],
  ])('name it: %s', (example, times) => {
    expect(countNamed(example, 'ledger')).toBe(times);
  });

  it.each([
    ['as the program', 'ledger show totals'],
    ['as a sub-command', 'bank ledger show'],
    ['as the value of an option', 'kubectl get pods --namespace ledger'],
    ['as an option', 'bank show --ledger'],
    ['as a part of a word', 'kubectl delete pod ledger-1'],
    ['in a nested command', 'ssh web1 "systemctl restart ledger"'],
    ['in a query', 'SELECT total FROM ledger'],
    ['in a call', 'restart("the", "ledger")'],
    ['in words', 'I restarted the ledger.'],
  ])('do not name it %s', (_, example) => {
    expect(countNamed(example, 'ledger')).toBe(0);
  });

  it('name nothing by a verb', () => {
    expect(countNamed('kubectl rollout status deployment web', 'status')).toBe(0);
    expect(countNamed('kubectl rollout restart deployment web', 'restart')).toBe(0);
  });
});
