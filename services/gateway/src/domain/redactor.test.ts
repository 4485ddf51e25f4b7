import type { Interaction } from '@whetstone/contracts';
import type { SecretKind } from '@whetstone/platform/redaction';

import { createRedactor } from './redactor.js';

function redactorWithCounts({ personalData = false } = {}) {
  const counts = new Map<SecretKind, number>();
  const redactor = createRedactor((kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1), { personalData });
  return { redactor, counts };
}

describe('an interaction', () => {
  it('loses its secrets everywhere: query, turns, agent type, values and keys of metadata', () => {
    const { redactor, counts } = redactorWithCounts();
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz123456';
    const interaction: Interaction = {
      query: secret,
      turns: [{ turn: 1, inputs: secret, decision: secret, memory: secret, result: secret }],
      agentType: secret,
      metadata: { [secret]: [secret, { deep: secret }], password: 'hunter2', pwd: 123456, tokens: 7 },
    };

    const redacted = redactor.redact(interaction);

    expect(JSON.stringify(redacted)).not.toContain('abcdefghij');
    expect(redacted.metadata).toMatchObject({
      password: '[REDACTED:password]',
      pwd: '[REDACTED:password]',
      tokens: 7,
    });
    expect(counts.get('openai_key')).toBe(9);
  });

  it('keeps a metadata key called __proto__ a key', () => {
    const metadata = JSON.parse('{"__proto__": {"password": "hunter2"}, "constructor": {"a": 1}}');

    const redacted = redactorWithCounts().redactor.redact({ query: '', turns: [], metadata });

    expect(JSON.stringify(redacted.metadata)).toBe(
      '{"__proto__":{"password":"[REDACTED:password]"},"constructor":{"a":1}}',
    );
    expect(({} as Record<string, unknown>)['password']).toBeUndefined();
  });

  it('loses the value of a name that is a value itself', () => {
    const metadata = {
      env: [
        { name: 'DB_PASSWORD', value: 'swordfish' },
        { name: 'COLOUR', value: 'blue' },
      ],
    };

    const redacted = redactorWithCounts().redactor.redact({ query: '', turns: [], metadata });

    expect(redacted.metadata).toEqual({
      env: [
        { name: 'DB_PASSWORD', value: '[REDACTED:password]' },
        { name: 'COLOUR', value: 'blue' },
      ],
    });
  });

  it('keeps personal data unless it is asked to redact them', () => {
    const text = 'Mail bob@example.com or call +49 30 901820.';

    expect(redactorWithCounts().redactor.redactText(text)).toBe(text);
    const { redactor, counts } = redactorWithCounts({ personalData: true });
    expect(redactor.redactText(text)).toBe('Mail [REDACTED:email_address] or call [REDACTED:phone_number].');
    expect(counts).toEqual(
      new Map([
        ['email_address', 1],
        ['phone_number', 1],
      ]),
    );
  });
});
