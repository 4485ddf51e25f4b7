export function reduceToIntent(text: string): string {
  return text.trim().replace(/\s+/gu, ' ');
}
