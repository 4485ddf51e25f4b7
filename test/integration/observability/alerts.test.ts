import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import {
  type Rule,
  type RunbookPage,
  readRules,
  readRunbookPages,
  whetstoneCommandsOf,
} from '../../support/observability/project-queries.js';
import { projectFolder } from '../../support/product.js';
import { whetstoneCommand } from '../../support/whetstone-command.js';

interface AlertTest {
  alertname: string;
  exp_alerts: unknown[];
}

let alerts: (Rule & { alert: string })[];
let pages: RunbookPage[];
let names: Set<string>;

beforeAll(async () => {
  alerts = (await readRules()).filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined);
  pages = await readRunbookPages();
  names = new Set(alerts.map(({ alert }) => alert));
});

describe('every alert', () => {
  it('has a severity, words with the values, and the address of its page', () => {
    expect(names.size).toBeGreaterThan(10);
    for (const { alert, labels, annotations } of alerts) {
      expect(alert).toMatch(/^Whetstone[A-Z]\w+$/);
      expect(labels?.['severity']).toMatch(/^(critical|warning)$/);
      expect(annotations?.['summary']).toContain('{{ $labels.namespace }}');
      expect(annotations?.['description']).toMatch(/\{\{ \$(value|labels)/);
      expect(annotations?.['runbook_url']).toBe(`docs/runbooks/${alert}.md`);
    }
  });

  it('has a page that says what it means, what users notice, where to look and how to fix it', () => {
    for (const name of names) {
      const page = pages.find((candidate) => candidate.name === name);
      expect([name, page?.text.match(/^#+ .*$/gm)]).toEqual([
        name,
        [`# ${name}`, '## Meaning', '## Impact', '## Look first', '## Fix'],
      ]);
    }
  });

  it('is shown by a test of the rules to fire, and not to', async () => {
    const folder = join(projectFolder, 'charts/whetstone/tests/rules');
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    const tests = files.flatMap((text) =>
      (parse(text) as { tests: { alert_rule_test: AlertTest[] }[] }).tests.flatMap((test) => test.alert_rule_test),
    );
    const tested = (fires: boolean) =>
      new Set(tests.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname));

    expect(tested(true)).toEqual(names);
    expect(tested(false)).toEqual(names);
  });
});

describe('the runbooks', () => {
  it('have no page without an alert, and lead to all of them', () => {
    const others = pages.filter(({ name }) => name !== 'README').map(({ name }) => name);
    expect(new Set(others)).toEqual(names);

    const linked = (page: RunbookPage) => [...page.text.matchAll(/\]\((\w+)\.md\)/g)].map(([, name]) => name as string);
    for (const page of pages) expect(linked(page).filter((name) => !names.has(name))).toEqual([]);
    const start = pages.find(({ name }) => name === 'README') as RunbookPage;
    expect(new Set(linked(start))).toEqual(names);
  });

  it('name settings that there are', async () => {
    const configuration = await readFile(join(projectFolder, 'docs/configuration.md'), 'utf8');
    const settings = pages.flatMap(({ text }) => text.match(/WHETSTONE_[A-Z_]+[A-Z]/g) ?? []);

    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((setting) => !configuration.includes(setting))).toEqual([]);
  });

  it('name commands that there are, with options that they take', async () => {
    const commands = new Set(pages.flatMap(whetstoneCommandsOf).map((command) => command.join(' ')));
    expect(commands.size).toBeGreaterThan(4);
    const { run } = whetstoneCommand({});
    for (const command of commands) {
      const subcommand = /^[a-z-]+(?: [a-z-]+)*?(?= [^a-z]|$)/.exec(command)?.[0] ?? '';
      const { code, stdout } = await run(...subcommand.split(' '), '--help');
      expect([command, code]).toEqual([command, 0]);
      expect(stdout).toContain(`Usage: whetstone ${subcommand} `);
      for (const option of command.match(/--[a-z-]+/g) ?? []) expect(stdout).toContain(option);
    }
  });
});
