import { withoutCourtesy, withoutOpening, withoutPreamble } from './preamble.js';

describe('withoutPreamble', () => {
  it.each([
    ['Please do this: count the boats', 'count the boats'],
    ['Your task is the following. Count the boats.', 'Count the boats.'],
    ['Task:\nCount the boats', 'Count the boats'],
    ['Hello! Here is what I need: count the boats', 'count the boats'],
  ])('drops what says nothing from %j', (text, task) => {
    expect(withoutPreamble(text)).toBe(task);
  });

  it.each([
    'Count the boats: all of them',
    'Do not do this: sink the boats',
    'For 3: count the boats',
    'Please: ',
    'Please do "this": count the boats',
    'What is needed',
    '船: 数える',
  ])('keeps %j', (text) => {
    expect(withoutPreamble(text)).toBe(text);
  });

  it('ends soon with anything', () => {
    const began = performance.now();
    withoutPreamble('do this: '.repeat(100_000));
    withoutPreamble(' '.repeat(1_000_000));
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('withoutOpening', () => {
  it.each([
    'Hi team,\ncount the boats',
    'Hello Ann\n\ncount the boats',
    'Hi all — count the boats',
    'Good morning! Here is what I need: count the boats',
    'Dear Ms. Ann, count the boats',
    'user: Hello, count the boats',
  ])('drops label, greeting and preamble from %j', (text) => {
    expect(withoutOpening(text)).toBe('count the boats');
  });

  it.each([
    'Hi-res pictures',
    'Good news: sort them',
    'Hello world',
    'Hello world program: write it in Go',
    'Hey I need the report, please send it',
    'Hi can you delete user 7, and then email him',
    'Good morning report: send it',
    'Dear all',
    'Hello, ',
  ])('keeps %j', (text) => {
    expect(withoutOpening(text)).toBe(text);
  });

  it('ends soon with anything', () => {
    const began = performance.now();
    withoutOpening(`hi ${'a '.repeat(500_000)}`);
    withoutOpening(`dear ${'a.'.repeat(500_000)}`);
    withoutOpening(`hi ${'Ab '.repeat(300_000)}`);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('a courtesy', () => {
  it.each([
    ['Please rotate the logs', 'rotate the logs'],
    ['Hi there! Could you please rotate the logs?', 'rotate the logs?'],
    ['Bitte, rotiere die Logs', 'rotiere die Logs'],
    ['Hello world in C', 'Hello world in C'],
    ['Pleased customers', 'Pleased customers'],
    ['Will the logs rotate?', 'Will the logs rotate?'],
  ])('is dropped: %s', (text, rest) => {
    expect(withoutCourtesy(text)).toBe(rest);
  });
});
