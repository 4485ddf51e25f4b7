import { cpuSecondsOf } from '../test-kit/cpu-seconds.js';
import { redactText } from './redact-text.js';
import type { SecretKind } from './secret-kinds.js';

const redact = (text: string) => redactText(text, () => {});

const letters = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9';

describe('a secret that says by its shape what it is', () => {
  it.each<[SecretKind, string]>([
    ['openai_key', 'sk-proj-abcdefghijklmnopqrstuvwxyz123456'],
    ['openai_key', `sk-${letters.slice(0, 48)}`],
    ['anthropic_key', `sk-ant-api03-${letters}`],
    ['aws_key', 'AKIAIOSFODNN7EXAMPLE'.replace('EXAMPLE', 'ABCDEFG')],
    ['aws_key', 'ASIAY34FZKBOKMUTVV7A'],
    ['github_token', `ghp_${letters.slice(0, 36)}`],
    ['github_token', `github_pat_11ABCDEFG0${letters}`],
    ['gitlab_token', `glpat-${letters.slice(0, 20)}`],
    ['slack_token', 'xoxb-123456789012-abcdefGHIJKL'],
    ['google_key', `AIzaSy${letters.slice(0, 33)}`],
    ['google_key', `ya29.${letters}`],
    ['stripe_key', `sk_live_${letters.slice(0, 24)}`],
    ['stripe_key', `rk_test_${letters.slice(0, 24)}`],
    ['npm_token', `npm_${letters.slice(0, 36)}`],
    ['huggingface_token', `hf_${letters.slice(0, 34)}`],
    ['pypi_token', `pypi-AgEIcHlwaS5vcmcC${letters}`],
    ['sendgrid_key', `SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`],
    ['whetstone_key', `wst_${'0'.repeat(16)}_${'a'.repeat(40)}_${'b'.repeat(6)}`],
    ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'],
  ])('%s is taken out, wherever it stands', (kind, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['use ', ' now'],
      ['"', '"'],
      ['(', ').'],
      ['https://example.com/?a=', '&b=2'],
      ['x=', '\n'],
    ]) {
      expect(redact(`${before}${secret}${after}`)).toBe(`${before}[REDACTED:${kind}]${after}`);
    }
  });

  it('a key of ours goes whatever it is glued to', () => {
    const key = `wst_${'0'.repeat(16)}_${'a'.repeat(40)}_${'b'.repeat(6)}`;

    expect(redact(`my-${key}`)).not.toContain('wst_');
    expect(redact(`prefix_${key}${key}`)).not.toContain('wst_');
  });

  it('a private key goes with everything between its lines, also if its end is missing', () => {
    const block = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc+/=\n-----END RSA PRIVATE KEY-----';

    expect(redact(`before ${block} after`)).toBe('before [REDACTED:private_key] after');
    expect(redact(`before ${block.slice(0, 60)}`)).toBe('before [REDACTED:private_key]');
    expect(redact(JSON.stringify({ key: block }))).not.toContain('MIIE');
  });
});

describe('a secret that its surroundings give away', () => {
  it.each([
    ['https://bob:hunter2@example.com/x', 'https://bob:[REDACTED:url_password]@example.com/x'],
    ['postgres://app:p%40ss@db:5432/main', 'postgres://app:[REDACTED:url_password]@db:5432/main'],
    ['Authorization: Bearer abc123def456ghi789', 'Authorization: Bearer [REDACTED:bearer_token]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [REDACTED:basic_credentials]'],
    ['curl -u bob:hunter2 https://x', 'curl -u bob:[REDACTED:password] https://x'],
    ["CREATE USER bob IDENTIFIED BY 'hunter2';", "CREATE USER bob IDENTIFIED BY '[REDACTED:password]';"],
    ['export DB_PASSWORD=hunter2', 'export DB_PASSWORD=[REDACTED:password]'],
    ['PGPASSWORD=hunter2 psql -h db', 'PGPASSWORD=[REDACTED:password] psql -h db'],
    ['password: hunter2', 'password: [REDACTED:password]'],
    ['db:\n  password: swordfish\n  port: 1', 'db:\n  password: [REDACTED:password]\n  port: 1'],
    ['{"password": "correct horse battery staple"}', '{"password": "[REDACTED:password]"}'],
    ['{"user":"bob","password":"swordfish"}', '{"user":"bob","password":"[REDACTED:password]"}'],
    ['{\\"password\\": \\"pa ss\\"}', '{\\"password\\": \\"[REDACTED:password]\\"}'],
    ['{"password": "Tr0ub4dor &3 x"}', '{"password": "[REDACTED:password]"}'],
    ["password = 'open sesame'", "password = '[REDACTED:password]'"],
    ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', '{\\"password\\":\\"[REDACTED:password]\\",\\"a\\":1}'],
    ['{"password":"pa\\"ss1"}', '{"password":"[REDACTED:password]"}'],
    ["password = 'hunter2'", "password = '[REDACTED:password]'"],
    ["os.environ['API_KEY'] = 'abcd1234efgh'", "os.environ['API_KEY'] = '[REDACTED:api_key]'"],
    ['login --password hunter2 --user bob', 'login --password [REDACTED:password] --user bob'],
    ['deploy --api-key=abcd1234efgh', 'deploy --api-key=[REDACTED:api_key]'],
    ['Server=db;Uid=app;Pwd=hunter2;', 'Server=db;Uid=app;Pwd=[REDACTED:password];'],
    ['X-Api-Key: abcd1234efgh5678', 'X-Api-Key: [REDACTED:api_key]'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz', 'aws_secret_access_key = [REDACTED:api_key]'],
    ['https://x/?access_token=abc12345&page=2', 'https://x/?access_token=[REDACTED:token]&page=2'],
    ['{"refreshToken": "1a2b3c4d5e"}', '{"refreshToken": "[REDACTED:token]"}'],
    ['client_secret=a1b2c3', 'client_secret=[REDACTED:password]'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('what is no secret stays', () => {
  it.each([
    'commit 3f2a9c0d1e4b5a69788796a5b4c3d2e1f0a9b8c7 on main',
    'id 123e4567-e89b-12d3-a456-426614174000',
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk${'Ab3/+'.repeat(200)}==`,
    'The token usage grew; a token is a word or less. Token: the unit of text.',
    'max_tokens=512, tokens: 100, next_token = tokenizer.next(), {"token": "hello", "logprob": -0.3}',
    'next_page_token=CAUQAA1234567890abcdef',
    'The password must have 8 characters. Password: required. Enter your password: ',
    'password: incorrect',
    '{"password": "This field is required"}, {"password": ["At least 8 characters"]}',
    'input("Password: ", hide=True, twice=True); echo "password: " $PW; read("Secret: ") or fallback',
    '{"password": "Passwords do not match", "pwd": "Choose another one", "secret": "Too short"}',
    'connect(user=user, password=password, token=args.token)',
    'password=$DB_PASSWORD token=$TOKEN --password <password> password=*** api_key=your_api_key_here',
    "token = os.environ['TOKEN']; password = getpass.getpass()",
    'interface Login { password: string; token?: string; secret: boolean }',
    '"password_hash" column, secretary, passwordless login, token_count: 5, keyboard: azerty',
    'class="sk-folding-cube sk-cube-grid-item-delayed"',
    'primary key: id12345678, foreign_key: user_id_12345, key: value12345678',
    'mailto:bob@example.com, git@github.com:org/repo.git, https://example.com:8080/a@b',
    'basic authentication, Basic understanding, bearer of bad news, Bearer authentication-scheme',
    'ls --user bob; docker run -u 1000:1000 image',
    'enhancement_id: enh_AbCdEf-sk_live-0123456789_hf-abcdefghijklmnop',
    'f1 = 2 * p * r / (p + r); see RFC 7519 and AKIA, eyJ, sk-, ghp_',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it('redacting what is redacted changes nothing', () => {
  const once = redact(
    'password=hunter2 Bearer abc123def456ghi789 https://a:b1c2@x sk-proj-abcdefghijklmnopqrstuvwxyz123456',
  );

  expect(redact(once)).toBe(once);
  expect(once.match(/REDACTED/g)).toHaveLength(4);
});

describe('hostile text takes linear time', () => {
  const pieces = [
    'sk-',
    'eyJ',
    'eyJaaaaaaaaaaaaaaaa.',
    'password field","a":"b",',
    'password").fill(',
    'password:\n\n',
    'password is a b c: ',
    'connect("a", "b", "',
    'IDENTIFIED BY ',
    '"PASSWORD=a b c ',
    'aws put-parameter --value key ',
    'a',
    '-',
    'wst_',
    'wst_0000000000000000_',
    'token',
    'token=',
    'token="',
    'token \\"',
    'password:',
    'password: ',
    '--token ',
    'key\\',
    "secret='",
    'bearer ',
    'basic aaaaaaaa',
    'http://a:',
    '://',
    '://a:b',
    '@',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-u a:',
    'identified by ',
    "identified by '",
    ' ',
    '\\',
    'AKIA',
    'SG.aaaaaaaaaaaaaaaa',
    'gl',
    'key=',
    'api_key=',
    'pass:',
    'password ',
    'password is ',
    'PASS ',
    'secret secret ',
    'password="',
    'Authorization: ',
    'Authorization: Digest a="',
    'cookie: a=b; ',
    'mysql -p',
    'mysql -p;',
    'curl -u a:b ',
    'echo a ',
    'a:b1cde@c.de ',
    'a://',
    'https://hooks/',
    'hooks/',
    '$6$',
    '{SSHA}',
    'kind: Secret\n',
    'kind: Secret\ndata:\n a: b\n',
    '---\nkind: Secret\ndata:\n',
    'Private-Lines: 1\n',
    '<password>',
    'name="password" value="',
    'login("a", "',
    'login a password ',
    'a:5432:b:c:d',
    'sig=',
    '密码',
    'пароль ',
    'a1B2',
  ];

  const prose = 'The agent opened the page, read the list and clicked on the second entry. '.repeat(7000);

  it.each(pieces)('%j again and again', (piece) => {
    const small = piece.repeat(32_768 / piece.length);
    const large = piece.repeat(524_288 / piece.length);
    redact(small);

    // Sixteen times the text: linear takes about sixteen times as long, quadratic 256 times. Linear with a large factor is no better.
    const secondsOf = (text: string) =>
      Math.max(
        0.002,
        cpuSecondsOf(() => redact(text)),
      );
    const most = Math.min(secondsOf(small) * 100, secondsOf(prose) * 400);
    expect(cpuSecondsOf(() => redact(large), most)).toBeLessThan(most);
  });
});
