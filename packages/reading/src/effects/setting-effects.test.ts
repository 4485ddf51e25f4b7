import type { Effect } from '@whetstone/contracts';
import type { Action } from '../actions/action.js';
import { readActions } from '../actions/read-actions.js';
import { effectsOf } from './effects.js';
import { settingEffects, settingRows, textRows } from './setting-effects.js';

function effectsIn(text: string): readonly Effect[] {
  return [...settingEffects(text).effects];
}

function ofEdit(object: string, args: NonNullable<Action['args']>): readonly Effect[] {
  return effectsOf({ kind: 'edit', verb: 'edit', object, args, text: '' });
}

function ofCommand(text: string): readonly Effect[] {
  return effectsOf({ kind: 'command', verb: '', text });
}

describe('the tables of settings and texts', () => {
  it.each([...settingRows, ...textRows])('have a row for $pattern that tells $yes from $no', ({ effect, yes, no }) => {
    expect(effectsIn(yes)).toContain(effect);
    expect(effectsIn(no)).not.toContain(effect);
  });
});

describe('a setting', () => {
  it.each([
    'privileged: true',
    'privileged = true',
    'privileged=true',
    'privileged := true',
    "'privileged' => true",
    '"privileged": true',
    `{\\"privileged\\": true}`,
    'securityContext: { privileged: yes }',
    "kubectl = '-p {privileged: true}'",
    'a:\\n  privileged: true\\n',
    'config["privileged"] = True',
  ])('is read in any notation: %s', (text) => {
    expect(effectsIn(text)).toEqual(['runs_fetched']);
  });

  it.each([
    '# privileged: true',
    '  // privileged: true',
    'a: b # privileged: true',
    'privileged == true',
    'x: unprivileged',
  ])('is not read where it is none: %s', (text) => {
    expect(effectsIn(text)).toEqual([]);
  });

  it.each(['verbs: ["*"]', "verbs: [ 'get', '*' ]", 'verbs:\n- get\n- "*"', 'verbs = [\n  "*",\n]', 'verbs: "*"'])(
    'has values in a list or alone: %s',
    (text) => {
      expect(effectsIn(text)).toEqual(['widens_rights']);
    },
  );

  it('grants nothing where everything is denied', () => {
    expect(effectsIn('"Effect": "Deny", "Action": "*"')).toEqual([]);
    expect(effectsIn('"Effect": "Deny", "Action": "x:Y"}, {"Effect": "Allow", "Action": "*"')).toEqual([
      'widens_rights',
    ]);
  });

  it.each([
    'ssl_verify: false',
    'verify_tls = no',
    'validate_certs: off',
    'requireAuth: false',
    'verify_signature: False',
    'strict-ssl=false',
    'checkHostname: 0',
    'rejectUnauthorized: false',
    'csrf_enabled = False',
    'audit_log_enabled: false',
    'deletion_protection = false',
    'InsecureSkipVerify: true',
    'tls_insecure: true',
    'skip_tls_verify: true',
    'disableCertificateValidation: true',
  ])('gives up a safeguard by the words of its key: %s', (text) => {
    expect(effectsIn(text)).toEqual(['disables_safeguard']);
  });

  it.each([
    'check=False',
    'validate: false',
    'ssl_verify: true',
    'verified: false',
    'audit: none',
    'skipLibCheck: true',
    'strict: false',
    'noEmit: true',
    'skip_tls_verify: false',
  ])('keeps the safeguards: %s', (text) => {
    expect(effectsIn(text)).toEqual([]);
  });

  it.each([
    ['allow_nested_items_to_be_public = true', true],
    ['publicly_accessible = true', true],
    ['block_public_acls = false', true],
    ['restrict_public_buckets: false', true],
    ['public_network_access: Enabled', true],
    ['block_public_policy = true', false],
    ['publicly_accessible = false', false],
    ['public = true', false],
    ['is_public: true', false],
  ])('makes something public or not: %s', (text, isWide) => {
    expect(effectsIn(text)).toEqual(isWide ? ['widens_rights'] : []);
  });

  it.each([
    ['ingress {\n  from_port = 22\n  cidr_blocks = ["0.0.0.0/0"]', true],
    ['SecurityGroupIngress:\n- IpProtocol: -1\n  CidrIp: 0.0.0.0/0', true],
    ['ingress {\n  from_port = 443\n  cidr_blocks = ["0.0.0.0/0"]', false],
    ['ingress {\n  cidr_blocks = ["10.0.0.0/8"]', false],
    ['ingress {\n}\negress {\n  cidr_blocks = ["0.0.0.0/0"]', false],
    ['destination_cidr_block = "0.0.0.0/0"', false],
  ])('opens ports to everywhere or not: %s', (text, isWide) => {
    expect(effectsIn(text)).toEqual(isWide ? ['widens_rights'] : []);
  });

  it.each([
    ['cors({"origin": "*", "credentials": true})', true],
    ['allow_origins=["*"], allow_credentials=True', true],
    ['add_header Access-Control-Allow-Origin *;\nadd_header Access-Control-Allow-Credentials true;', true],
    ['add_header Access-Control-Allow-Origin *;', false],
    ['cors({ origin: "*" })', false],
    ['cors({ origin: "https://a.example", credentials: true })', false],
    ['cors({ origin: "*", credentials: false })', false],
  ])('shares credentials with every origin or not: %s', (text, isWide) => {
    expect(effectsIn(text)).toEqual(isWide ? ['widens_rights'] : []);
  });

  it.each([
    ['hostPath:\n  path: /', true],
    ['hostPath: { path: "/etc" }', true],
    ['host_path {\n  path = "/"\n}', true],
    ['volumes:\n- /var/run/docker.sock:/var/run/docker.sock', true],
    ['volumes:\n- "/:/host"', true],
    ['hostPath:\n  path: /srv/data', false],
    ['volumes:\n- ./data:/data', false],
  ])('mounts the machine or not: %s', (text, mounts) => {
    expect(effectsIn(text)).toEqual(mounts ? ['runs_fetched'] : []);
  });

  it.each([
    '* { margin: 0 }',
    'SELECT * FROM t',
    'glob("*")',
    'branches: ["*"]',
    '"paths": {"*": ["x/*"]}',
    'see https://a.example/registry',
    'homepage = "https://a.example"',
    '"Action": ["s3:GetObject"], "Resource": "*"',
    'uses: ./.github/actions/x',
    'x = a or b == b',
  ])('is innocent: %s', (text) => {
    expect(effectsIn(text)).toEqual([]);
  });

  it('is read in time from any text', () => {
    const started = performance.now();
    for (const part of [
      'a',
      'a:',
      'a=[',
      'a:\n- b',
      'Action:*,',
      'cidr=::/0 ',
      'curl ',
      'or a=',
      'hostPath:',
      "a='",
      '\\n#',
    ])
      settingEffects(part.repeat(1_000_000 / part.length));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('what is written', () => {
  it('is what an edit adds', () => {
    const bad = 'privileged: true';
    expect(ofEdit('a.yaml', { content: bad })).toEqual(['changes', 'runs_fetched']);
    expect(ofEdit('a.yaml', { old_str: 'a: b', new_str: bad })).toEqual(['changes', 'runs_fetched']);
    expect(ofEdit('a.yaml', { search: bad, replace: 'privileged: false' })).toEqual(['changes']);
    expect(ofEdit('a.yaml', { old_string: `${bad}\na: 1`, new_string: `${bad}\na: 2` })).toEqual(['changes']);
    expect(ofEdit('a.yaml', { change: `@@ -1 +1 @@\n-${bad}\n+a: b` })).toEqual(['changes']);
    expect(ofEdit('a.yaml', { change: `@@ -1 +1 @@\n-a: b\n+${bad}` })).toEqual(['changes', 'runs_fetched']);
    expect(ofEdit('a.py', { content: 'get(u, verify=False)' })).toEqual(['changes', 'disables_safeguard']);
    expect(ofEdit('README.md', { content: bad })).toEqual(['changes']);
  });

  it.each([
    'cat > a.yaml <<EOF\nprivileged: true\nEOF',
    'kubectl apply -f - <<EOF\nprivileged: true\nEOF',
    "echo 'privileged: true' > a.yaml",
    "echo 'privileged: true' | sudo tee -a a.yaml",
    "printf 'a: b\\nprivileged: true\\n' | kubectl apply -f -",
    "sed -i 's/privileged: false/privileged: true/' a.yaml",
    "sed -i 's/level: 1/level: 2/; s/privileged: false/privileged: true/' a.yaml",
    `kubectl patch deploy web -p '{"privileged": true}'`,
    'helm upgrade web ./web --set securityContext.privileged=true',
    'inhouse-cli pods update --privileged',
    'inhouse-cli pods update --privileged true',
  ])('is what a command writes or sets: %s', (command) => {
    expect(ofCommand(command)).toContain('runs_fetched');
  });

  it.each([
    "echo 'privileged: true'",
    "echo 'privileged: true' | grep x",
    "echo 'privileged: true' 2>/dev/null",
    "echo 'privileged: true' >> README.md",
    "echo 'privileged: true' | tee README.md",
    'cat <<EOF\nprivileged: true\nEOF',
    'grep -r "privileged: true" .',
    "sed -i 's/privileged: true/privileged: false/' a.yaml",
    "git commit -m 'privileged: true'",
  ])('is not what a command only says: %s', (command) => {
    expect(ofCommand(command)).not.toContain('runs_fetched');
  });

  it('is what variables are set to', () => {
    expect(ofCommand('https_proxy=http://203.0.113.4:3128 make')).toContain('connects');
    expect(ofCommand('export HTTPS_PROXY=http://203.0.113.4:3128')).toContain('connects');
    expect(ofCommand('export API_URL=https://api.example.com')).toEqual([]);
  });

  it('is what a call sets, but neither what it tells people nor what it looks for', () => {
    const ofCall = (verb: string, args: NonNullable<Action['args']>) =>
      effectsOf({ kind: 'call', verb, args, text: '' });
    expect(ofCall('apply', { manifest: 'a: b\nprivileged: true' })).toEqual(['changes', 'runs_fetched']);
    expect(ofCall('requests.get', { verify: false })).toEqual(['disables_safeguard']);
    expect(ofCall('use', { 0: { origin: '*', credentials: true } })).toEqual(['changes', 'widens_rights']);
    expect(ofCall('post', { body: 'privileged: true' })).toEqual(['changes']);
    expect(ofCall('search', { for: 'privileged: true' })).toEqual([]);
  });

  it.each([
    ['skip_check', true, true],
    ['skipVerification', true, true],
    ['bypass_approval', true, true],
    ['disable_limits', true, true],
    ['override_policy', true, true],
    ['skip_check', false, false],
    ['require_review', false, true],
    ['require_review', true, false],
    ['skip_seat', true, false],
    ['check', true, false],
  ])('skips a check by an argument: %s = %s', (name, value, skips) => {
    const effects = effectsOf({
      kind: 'call',
      verb: 'set_verified',
      args: { id: 7, with: { [name]: value } },
      text: '',
    });
    expect(effects).toEqual(skips ? ['changes', 'disables_safeguard'] : ['changes']);
  });

  it('is read out of a decision', () => {
    const decision = 'app.use(cors({"origin": "*", "credentials": true}))';
    expect(readActions(decision).flatMap(effectsOf)).toContain('widens_rights');
  });
});
