import { serveWorker } from '@whetstone/platform/worker';

serveWorker({
  greet: () => undefined,
  echo: (value: unknown) => value,
  die: () => process.exit(1),
});
