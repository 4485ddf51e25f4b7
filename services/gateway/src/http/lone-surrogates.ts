import { maxProblems, type Problem, problem } from '@whetstone/contracts';

const lone = /\p{Surrogate}/u;
const everyLone = /\p{Surrogate}/gu;

/** Where half a surrogate pair stands alone, in values and in keys. Recursion is bounded by the depth of the body. */
export function loneSurrogates(body: unknown): Problem[] {
  const problems: Problem[] = [];
  const loc: (string | number)[] = ['body'];

  function visit(value: unknown): void {
    if (problems.length >= maxProblems) return;
    if (typeof value === 'string') check(value);
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) visitAt(index, value[index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, field] of Object.entries(value)) visitAt(key, field);
    }
  }

  function visitAt(place: string | number, value: unknown): void {
    loc.push(typeof place === 'string' ? place.replace(everyLone, '\ufffd') : place);
    if (typeof place === 'string') check(place);
    visit(value);
    loc.pop();
  }

  function check(text: string): void {
    if (lone.test(text)) problems.push(problem('string_unicode', [...loc]));
  }

  visit(body);
  return problems;
}
