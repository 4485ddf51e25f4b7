import { redactText } from '../redact-text.js';
import { harmlessTexts } from './harmless-texts.js';
import { textsWithSecrets } from './secret-texts.js';

const redact = (text: string) => redactText(text, () => {});

it.each(textsWithSecrets)('%s', (marked) => {
  const secrets = [...marked.matchAll(/«([^»]*)»/g)].map(([, secret = '']) => secret);

  const redacted = redact(marked.replaceAll(/[«»]/g, ''));

  for (const secret of secrets) expect(redacted).not.toContain(secret);
  expect(redacted).toContain('[REDACTED:');
  expect(redact(redacted)).toBe(redacted);
});

it.each(harmlessTexts)('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});
