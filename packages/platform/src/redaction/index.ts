export { redactPersonalData } from './personal-data.js';
export { redactText } from './redact-text.js';
export { type OnSecret, replacementFor, type SecretKind, secretKinds } from './secret-kinds.js';
export { secretNameAt } from './secret-names.js';
export { isSecretValue } from './secret-values.js';
