import { chartFolder, run, tools } from './chart.js';

const chart = tools();

it('the unit tests of the templates pass', async () => {
  const { ok, output } = await run(chart().helmUnittest, ['--strict', '--file', 'tests/*_test.yaml', chartFolder]);
  if (!ok) throw new Error(output);
  expect(output).toMatch(/Tests: +\d+ passed/);
});
