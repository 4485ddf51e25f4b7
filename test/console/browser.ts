import { accessSync, constants, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { type Browser, chromium } from 'playwright-core';

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The system's Chromium, or the one inside an npm package, with the libraries and fonts that it carries. */
async function findChromium(): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of systemNames) {
      if (isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  // Makes the package unpack its libraries and fonts, too: a bare machine has none.
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs20.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  const path = await packaged.executablePath();
  useFontsIn(join(tmpdir(), 'fonts'));
  return path;
}

/** The package looks for its fonts in /tmp, wherever it has unpacked them. Chromium ends if there is none. */
function useFontsIn(folder: string): void {
  const file = join(tmpdir(), 'fonts.conf');
  writeFileSync(file, `<fontconfig><dir>${folder}</dir><cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`);
  process.env['FONTCONFIG_FILE'] = file;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  // In a container there is rarely a user that may make a sandbox. Everything else that protects people stays on.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Why no browser runs here. */
export async function missingBrowser(): Promise<string | undefined> {
  try {
    await (await launchBrowser()).close();
    return undefined;
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    return `The console is tested in Chromium, and none runs here: install chromium. ${line}`;
  }
}
