export function linesWith(words: string, text: string): string[] {
  return text.split('\n').filter((line) => line.includes(words));
}
