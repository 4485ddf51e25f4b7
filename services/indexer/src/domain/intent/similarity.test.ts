import { generalisePaths } from './similarity.js';

describe('generalisePaths', () => {
  it.each([
    ['Count the lines of /var/log/shop/app.log', 'Count the lines of log file'],
    ['Copy "docs/plan.md" to ~/archive/2024', 'Copy md file to directory'],
    ['Lint src/main/app.ts, then tests/unit/all', 'Lint ts file, then directory'],
  ])('replaces a path by its kind: %s', (task, general) => {
    expect(generalisePaths(task)).toBe(general);
  });

  it.each([
    'Say yes and/or no',
    'Pour 1/2 cup at 30 km/h on 10/12/2024',
    'Explain TCP/IP',
    'Open https://example.com/news/today and read it',
    'List every user of team A.',
  ])('keeps what only resembles a path: %s', (task) => {
    expect(generalisePaths(task)).toBe(task);
  });

  it('gives the same result for the same task on two files', () => {
    expect(generalisePaths('Sort /srv/a.csv by its second column')).toBe(
      generalisePaths('Sort /home/ada/b.csv by its second column'),
    );
  });
});
