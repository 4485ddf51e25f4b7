export { type OnSecret, replacementFor, type SecretKind, secretKinds } from './known-secrets.js';
export { isSecretValue, redactText, secretNameAtEnd } from './redact-text.js';
