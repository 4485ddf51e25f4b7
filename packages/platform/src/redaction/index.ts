export { redactText } from './redact-text.js';
export { type OnSecret, replacementFor, type SecretKind, secretKinds } from './secret-kinds.js';
export { isSecretValue, secretNameAtEnd } from './secret-values.js';
