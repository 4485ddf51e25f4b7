import { type OnSecret, replacementFor, type SecretKind } from './secret-kinds.js';

const email = /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;
/** Groups of digits as on cards. The checksum decides. */
const card = /(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])/g;
/** International, or with a code of an area; not a plain number. */
const phone =
  /(?<![\w+.-])(?:\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}|\(\d{2,5}\)[ .-]?\d{3,4}(?:[ .-]?\d{2,4}){1,2}|\d{3}[.-]\d{3}[.-]\d{4})(?![\w-])/g;

/** Takes out e-mail addresses, numbers of payment cards, and phone numbers that are written as such. */
export function redactPersonalData(text: string, onSecret: OnSecret): string {
  let rest = text.includes('@') ? text.replace(email, replaced('email_address')) : text;
  if (!/\d/.test(rest)) return rest;
  rest = rest.replace(card, (match) => (isCardNumber(match) ? replaced('card_number')() : match));
  return rest.replace(phone, replaced('phone_number'));

  function replaced(kind: SecretKind): () => string {
    return () => {
      onSecret(kind);
      return replacementFor(kind);
    };
  }
}

/** Luhn's checksum, which all payment cards have. */
function isCardNumber(written: string): boolean {
  const digits = [...written].filter((letter) => letter >= '0' && letter <= '9').map(Number);
  if (!/^[3-6]/.test(written)) return false;
  const sum = digits.reverse().reduce((total, digit, position) => {
    const doubled = position % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
