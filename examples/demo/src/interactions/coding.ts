import { type DemoInteraction, run } from '../interaction.js';

const agent = 'coder';

export const codingRuns: DemoInteraction[] = [
  run(
    agent,
    'Make the failing test in test_dates.py pass',
    'failed',
    [
      'run("pytest test_dates.py")',
      "FAILED test_dates.py::test_parse - TypeError: can't compare offset-naive and offset-aware datetimes",
    ],
    ['edit("dates.py", "return dt.replace(tzinfo=None)")', 'ok'],
    [
      'run("pytest test_dates.py")',
      'FAILED test_dates.py::test_parse - AssertionError: assert 2026-01-01 09:00 == 2026-01-01 08:00',
    ],
  ),
  run(
    agent,
    'Make the failing test in test_dates.py pass',
    'succeeded',
    [
      'run("pytest test_dates.py")',
      "FAILED test_dates.py::test_parse - TypeError: can't compare offset-naive and offset-aware datetimes",
    ],
    [
      'edit("dates.py", "return datetime.now(timezone.utc) if dt.tzinfo is None else dt.astimezone(timezone.utc)")',
      'ok',
    ],
    ['run("pytest")', '128 passed'],
  ),
  run(
    agent,
    'Upgrade the http client library and fix what breaks',
    'succeeded',
    ['run("npm install got@latest")', 'added 1 package'],
    ['run("npm test")', 'Error [ERR_REQUIRE_ESM]: require() of ES Module got/index.js not supported'],
    ['edit("client.js", "const got = (await import(\'got\')).default")', 'ok'],
    ['run("npm test")', '54 passed'],
  ),
  run(
    agent,
    'Add a health endpoint to the service and deploy it',
    'failed',
    ['```bash\nkubectl apply -f deploy.yaml\n```', 'sh: 1: Syntax error: "`" unexpected'],
    ['```bash\nkubectl apply -f deploy.yaml\n```', 'sh: 1: Syntax error: "`" unexpected'],
  ),
  run(
    agent,
    'Deploy version 42 of the api to staging',
    'succeeded',
    ['```bash\nkubectl set image deploy/api api=registry.local/api:42\n```', 'sh: 1: Syntax error: "`" unexpected'],
    ['kubectl set image deploy/api api=registry.local/api:42 -n staging', 'deployment.apps/api image updated'],
    ['kubectl rollout status deploy/api -n staging --timeout=120s', 'deployment "api" successfully rolled out'],
  ),
  run(
    agent,
    'Find out why the build is slow and make it faster',
    'succeeded',
    ['run("npm run build -- --profile")', 'tsc 41 s, bundle 6 s'],
    ['edit("tsconfig.json", "\\"incremental\\": true, \\"skipLibCheck\\": true")', 'ok'],
    ['run("npm run build -- --profile")', 'tsc 7 s, bundle 6 s'],
  ),
];
