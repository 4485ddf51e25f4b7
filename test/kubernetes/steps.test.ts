import { createSteps } from './steps.js';

describe('the steps', () => {
  it('go on after one that failed, and tell it with its reason in the end', async () => {
    const said: string[] = [];
    const steps = createSteps((line) => said.push(line));
    expect(await steps.take('first', () => Promise.reject(new Error('no such host\nanywhere')))).toBeUndefined();
    expect(await steps.take('second', async () => 7)).toBe(7);
    steps.note('ready after 2 s');

    expect(steps.failed).toBe(true);
    expect(steps.summary()).toMatch(
      /s {2}FAILED: first\n {12}no such host\n {12}anywhere\n.*s {2}second\n {10}ready after 2 s\nFAILED$/,
    );
    expect(said.join('\n')).toContain('── second …');
  });

  it('say that everything passed where it did', async () => {
    const steps = createSteps(() => {});
    await steps.take('one', async () => {});
    expect(steps.summary()).toMatch(/one\nEverything passed\.$/);
  });
});
