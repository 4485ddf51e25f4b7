import { fileURLToPath } from 'node:url';

import { buildImages, buildUsage, parseBuildOptions } from './build-images.js';

/** `npm run images`. */
try {
  const options = parseBuildOptions(process.argv.slice(2));
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  if (options.help) console.log(buildUsage);
  else await buildImages(root, options, (line) => console.log(line));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${buildUsage}`);
  process.exitCode = 1;
}
