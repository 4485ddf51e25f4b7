import kafkajs from 'kafkajs';

import { groupsNotDeleted, isOldGeneration, isPassing, isRefused, isTooLarge } from './kafka-errors.js';

describe('errors of kafkajs', () => {
  it('pass when a broker comes back, also those that it calls final', () => {
    const away = new kafkajs.KafkaJSConnectionError('connect ECONNREFUSED');
    const wrapped = Object.assign(new kafkajs.KafkaJSNonRetriableError('Closed'), { cause: away });
    const noCoordinator = Object.assign(new kafkajs.KafkaJSNonRetriableError('Failed to find group coordinator'), {
      name: 'KafkaJSGroupCoordinatorNotFound',
    });

    expect([away, wrapped, noCoordinator].map(isPassing)).toEqual([true, true, true]);
    expect(isPassing(new TypeError('a mistake in a program'))).toBe(false);
    expect(isPassing(new kafkajs.KafkaJSNonRetriableError('not implemented'))).toBe(false);
  });

  it('do not pass where the cluster refuses us, however they are wrapped', () => {
    const refused = protocolError('TOPIC_AUTHORIZATION_FAILED');
    const wrapped = Object.assign(new kafkajs.KafkaJSError('Failed'), { cause: refused });

    expect(isRefused(wrapped)).toBe(true);
    expect(isPassing(wrapped)).toBe(false);
    expect(isRefused(protocolError('SASL_AUTHENTICATION_FAILED'))).toBe(true);
  });

  it('tell which groups a deletion has left', () => {
    const groups = [
      { groupId: 'busy', errorCode: 68 },
      { groupId: 'gone', errorCode: 69 },
    ];

    expect(groupsNotDeleted(Object.assign(new kafkajs.KafkaJSError('Error in DeleteGroups'), { groups }))).toEqual([
      'busy',
    ]);
    expect(groupsNotDeleted(new kafkajs.KafkaJSConnectionError('away'))).toBeUndefined();
  });

  it('tell what is too large, and what is too late', () => {
    expect(isTooLarge(protocolError('MESSAGE_TOO_LARGE'))).toBe(true);
    expect(isTooLarge(protocolError('NOT_ENOUGH_REPLICAS'))).toBe(false);
    expect(isOldGeneration(protocolError('ILLEGAL_GENERATION'))).toBe(true);
    expect(isOldGeneration(protocolError('NOT_ENOUGH_REPLICAS'))).toBe(false);
  });
});

function protocolError(type: string): Error {
  return Object.assign(new kafkajs.KafkaJSNonRetriableError(type), { name: 'KafkaJSProtocolError', type });
}
