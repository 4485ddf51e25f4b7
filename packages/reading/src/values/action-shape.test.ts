import type { Action, Arguments } from '../actions/action.js';
import { readActions } from '../actions/read-actions.js';
import { shapeOfAction, shapeOfReply } from './action-shape.js';
import { occursIn } from './task-values.js';

const nothing = () => false;

function action(kind: Action['kind'], text: string): Action {
  return { kind, verb: kind, text };
}

describe('the shape of a command, a query, code or an edit', () => {
  it.each([
    "find /srv -name '*.log' -size +10M -newermt '2024-01-01' -exec rm {} +",
    'tar -czf backup_20240501.tar.gz /data && chmod 0755 x && head -c 1073741824 f | sha256sum',
    "echo 'Hello World' > a; grep -r \"TODO\" src; sed -i 's/foo/bar/g' x_86_64.txt; pip install numpy==1.26.4",
    "SELECT id FROM airports WHERE code = 'JFK' AND state = 'open' AND city = 'Oslo' AND total > 1000000",
    'git clone git@code.example.org:team/app.git && docker run -p 8080:80 web:2.1 -e NAME=x',
    "awk '{print $1, $2}' a.txt | sort -k2,2n | head -n 100",
    "print(df.head(10)); name = 'build'; title = 'A Long Title With The Words'",
    "ALTER TABLE users ADD COLUMN last_login; SELECT name FROM t WHERE name = '%x%'",
  ])('%j stays', (text) => {
    for (const kind of ['command', 'sql', 'code', 'edit'] as const)
      expect(shapeOfAction(action(kind, text), nothing)).toBe(text);
  });

  it('keeps the path of an edit and loses who is named in it', () => {
    const edit = {
      kind: 'edit',
      verb: 'edit',
      object: 'src/app.ts',
      text: "src/app.ts\n+const owner = 'Ada Marlow'",
    } as const;

    expect(shapeOfAction(edit, nothing)).toBe("src/app.ts\n+const owner = '<name>'");
  });

  it('leaves out of a script what a person said, unless the task says it too', () => {
    const script = action('code', 'r = move(order="x", note="the twins spilled juice over it")');

    expect(shapeOfAction(script, nothing)).toBe('r = move(order="x", note="…")');
    const quoting = action('code', "note='he said it\\'s late and wet and cold'");
    expect(shapeOfAction(quoting, nothing)).toBe("note='…'");
    expect(shapeOfAction(script, (value) => value.startsWith('the twins'))).toBe(script.text);
  });

  it('shows what the task has', () => {
    expect(shapeOfAction(action('command', 'mail ada@example.org'), occursIn('Write to Ada@Example.org'))).toBe(
      'mail ada@example.org',
    );
  });
});

describe('a call with variables', () => {
  const shapeOf = (text: string, mayShow: (value: string) => boolean, isOtherCase: boolean) =>
    readActions(text).map((read) => shapeOfAction(read, mayShow, { isOtherCase }));

  it.each(['smooth(temps, width = 5)', 'net.fit(X_new, y_new, steps=3)', "save(frame, 'a.feather')", 'dial(HOME)'])(
    'is code, which stays as it is for its own task: %s',
    (text) => {
      expect(shapeOf(text, nothing, false)).toEqual([text]);
    },
  );

  it('does not turn them into strings for another task', () => {
    expect(shapeOf("save(frame, 'a.feather', level=3)", nothing, true)).toEqual(['save(…, …, level=…)']);
    expect(shapeOf('smooth(temps, width = 5)', (value) => value === 'temps', true)).toEqual(['smooth(temps, width=…)']);
  });

  it('has no ids', () => {
    expect(shapeOf('cancel(W4410077)', nothing, false)).toEqual(['cancel("…")']);
  });
});

describe('who a command, query or call is about', () => {
  it.each([
    ['command', 'crm show --customer marlow --plan gold', 'crm show --customer <name> --plan gold'],
    ['command', 'crm show --customer "$NAME" --clients *', 'crm show --customer "$NAME" --clients *'],
    ['command', 'chown --from root x; tar --owner=root -cf a b', 'chown --from root x; tar --owner=root -cf a b'],
    [
      'command',
      'curl https://crm.example.org/v1/patients/marlow/visits',
      'curl https://crm.example.org/v1/patients/<id>/visits',
    ],
    ['sql', "SELECT plan FROM t WHERE customer = 'marlow'", "SELECT plan FROM t WHERE customer = '<name>'"],
    ['sql', "SELECT plan FROM t WHERE customer LIKE '%ow'", "SELECT plan FROM t WHERE customer LIKE '%ow'"],
  ] as const)('is not told: %s %j', (kind, text, shape) => {
    expect(shapeOfAction(action(kind, text), nothing)).toBe(shape);
    expect(shapeOfAction(action(kind, text), occursIn('marlow'))).toBe(text);
  });

  it('is not told by the path of a request or the keys of a record', () => {
    const [request] = readActions('GET /customers/marlow/orders');
    expect(request && shapeOfAction(request, nothing)).toBe('GET /customers/…/orders');
    const [found] = readActions('find_card(card_last4="4417")');
    expect(found && shapeOfAction(found, nothing)).toBe('find_card(card_last4="…")');
    const [trial] = readActions('POST /api-v2/workspaces/kestrel-9/trials');
    expect(trial && shapeOfAction(trial, nothing)).toBe('POST /api-v2/workspaces/…/trials');
    const args = {
      customers: { marlow: { plan: 'gold' }, novak: { plan: 'gold' } },
      customer: { address: { zip: 1 } },
    };
    expect(shapeOfAction({ kind: 'call', verb: 'save', args, text: '' }, nothing)).toBe(
      'save({"customers": {"…": {"plan": "…"}}, "customer": {"address": {"zip": …}}})',
    );
  });
});

describe('the shape of a reply', () => {
  it.each([
    ['{"guest": "marlow", "room": {"view": "sea"}}', '{"guest": "…", "room": {"view": "…"}}'],
    ['Here it is:\n{"guest": "marlow"}\n{"guest": "novak"}', 'Here it is:\n{"guest": "…"}\n{"guest": "…"}'],
    [
      '<stay><guest>marlow</guest><room view="sea">attic</room></stay>',
      '<stay><guest>…</guest><room view="…">…</room></stay>',
    ],
    ['guest: marlow\nroom:\n  view: sea', 'guest: …\nroom:\n  view: …'],
    ['[stay]\nguest = marlow\nview = sea', '[stay]\nguest = …\nview = …'],
    ['guest=marlow view="the sea" nights=3', 'guest=… view=… nights=…'],
    ['guest,view\nmarlow,sea,attic\nnovak,lake,cellar', 'guest,view\n…,…,…\n…,…,…'],
    ['| guest | view |\n|---|---|\n| marlow | sea |', '|…|…|\n|---|---|\n|…|…|'],
    ['PID|1||771||marlow^ada||F', '…|…||…||…||…'],
    ["NAD+GU+marlow::9++attic+sea'", '…+…+…++…+…'],
  ])('has no value of a record: %j', (text, shape) => {
    expect(shapeOfReply(text, nothing)).toBe(shape);
  });

  it('shows of a record what the task has', () => {
    expect(shapeOfReply('guest: marlow\nview: sea', occursIn('Which view has Marlow?'))).toBe('guest: marlow\nview: …');
  });

  it.each([
    'bug',
    'category: bug',
    '{"label": "bug"}',
    'You can pay by card, cash, transfer, or invoice.',
    'Return it within 30 days.\nNote: keep the receipt.',
    'Step 1: Open the settings and choose the plan\nStep 2: Save them and wait for a mail',
    '- open the settings\n- choose a plan\n- save',
    'See [the guide](https://example.org/guide) and [1].',
  ])('is the reply if it is a label or prose: %j', (text) => {
    expect(shapeOfReply(text, nothing)).toBe(text);
  });
});

describe('the shape of a call', () => {
  const call = (args: Arguments, verb = 'book'): Action => ({ kind: 'call', verb, args, text: '' });

  it.each<[Arguments, string]>([
    [
      { guest: 'ada', board: 'breakfast', nights: 3, paid: true, late: false, note: null, empty: '' },
      '{"guest": "…", "board": "…", "nights": …, "paid": …, "late": …, "note": null, "empty": ""}',
    ],
    [{ nights: [{ date: '2031-02-01' }, { date: '2031-02-02' }] }, '{"nights": [{"date": "…"}, …]}'],
    [{ nights: [{ date: '2031-02-01' }] }, '{"nights": [{"date": "…"}]}'],
    [
      { flags: [true, false], none: [], deep: { a: { b: 1 } } },
      '{"flags": […, …], "none": [], "deep": {"a": {"b": …}}}',
    ],
    [{ 0: 'x', 1: 2, force: true }, '"…", …, {"force": …}'],
    [{ 0: 'x' }, '"…"'],
    [{ cards: { card_4421486: { n: 1 }, card_4421487: { n: 2 } } }, '{"cards": {"…": {"n": …}}}'],
    [{ 'ada@example.org': 1, 'free text here': 2, 'x.y': 3 }, '{"…": …, "x.y": …}'],
  ])('%j becomes %j', (args, shape) => {
    expect(shapeOfAction(call(args), nothing)).toBe(`book(${shape})`);
  });

  it.each([
    ['{"tool": "book", "guest": "ada", "nights": 3}', '{"tool": "book", "guest": "…", "nights": …}'],
    ['{"name": "book", "arguments": {"guest": "ada"}}', '{"name": "book", "arguments": {"guest": "…"}}'],
    ['{"name": "book", "arguments": "{\\"guest\\": \\"ada\\"}"}', '{"name": "book", "arguments": {"guest": "…"}}'],
    ['book(guest="ada", nights=3)', 'book(guest="…", nights=…)'],
    ['book({"guest": "ada"})', 'book({"guest": "…"})'],
    ['{"tool": "call Ada now", "guest": "ada"}', '{"tool": "…", "guest": "…"}'],
  ])('keeps how %j was written', (text, shape) => {
    const verb = text.includes('Ada') ? 'call Ada now' : 'book';

    expect(shapeOfAction({ kind: 'call', verb, args: { guest: 'ada' }, text }, nothing)).toBe(shape);
  });

  it.each([
    ['run("light.turn_on", {"entity": "light.attic"})', 'run("light.turn_on", {"entity": "…"})'],
    ['run(service="light.turn_on", data={"n": 7})', 'run(service="light.turn_on", data={"n": …})'],
    ['plan("mira.novak", {"plan": "yearly"})', 'plan("…", {"plan": "…"})'],
  ])('shows the operation of %j', (text, shape) => {
    const [action] = readActions(text) as [Action];

    expect(shapeOfAction(action, nothing)).toBe(shape);
  });

  it('shows what the task has, and nothing else', () => {
    const task = occursIn('Book a room with Breakfast for $120.50, towel and crib');
    const args = {
      guest: 'ada',
      board: 'breakfast',
      amount: 120.5,
      extras: ['towel', 'crib'],
      more: ['towel', 'bed'],
      free: 12,
    };

    expect(shapeOfAction(call(args), task)).toBe(
      'book({"guest": "…", "board": "breakfast", "amount": 120.5, "extras": ["towel", "crib"], "more": ["towel", …], "free": …})',
    );
  });

  it('is bounded however deep and broad it is', () => {
    let deep: Arguments = { x: 'secret' };
    for (let depth = 0; depth < 5_000; depth++) deep = { x: deep };
    const broad = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`field${'x'.repeat(at % 90)}${'y'.repeat(at / 90)}`, at]),
    );

    expect(shapeOfAction(call(deep), nothing).length).toBeLessThan(200);
    expect(shapeOfAction(call(broad), nothing)).toMatch(/, …\}\)$/);
    expect(shapeOfAction(call({ many: Array.from({ length: 5_000 }, () => true) }), nothing)).toBe(
      'book({"many": […, …]})',
    );
  });

  it('in bare words loses its values, and a strange name of a tool too', () => {
    expect(shapeOfAction(action('call', 'transfer $500 to mia_li_3668'), nothing)).toBe('transfer <amount> to <id>');
    expect(shapeOfAction(action('call', 'go to desk 1'), nothing)).toBe('go to desk 1');
    expect(shapeOfAction(call({}, 'tools.find'), nothing)).toBe('tools.find()');
    expect(shapeOfAction(call({}, 'call Ada now'), nothing)).toBe('…()');
  });
});

describe('the shape of an order in plain words', () => {
  it.each([
    ['go to desk 1', 'go to …'],
    ['take apple 1 from counter 2', 'take … from …'],
    ['put apple 1 in/on fridge 1', 'put … in/on fridge …'],
    ['click [12]', 'click […]'],
    ['type [3] [hello]', 'type […] […]'],
    ['search[green tea]', 'search[…]'],
    ["type [box] 'green tea'", 'type …'],
  ])('%j becomes %j', (text, shape) => {
    const [order] = readActions(text);

    expect(shapeOfAction(order as Action, occursIn('Look into the fridge'))).toBe(shape);
    expect(shapeOfAction(order as Action, () => true)).toBe(text);
  });
});

describe('the shape of a labelled call', () => {
  it.each([
    ['Action: find_bed\nAction Input: {"row": 7}', 'Action: find_bed\nAction Input: {"row": …}'],
    ['Action: Search\nAction Input: Ada Marlow', 'Action: Search\nAction Input: …'],
    ['Final Answer: Ada Marlow', 'Final Answer: …'],
  ])('%j keeps its labels', (text, shape) => {
    const [call] = readActions(text);

    expect(shapeOfAction(call as Action, nothing)).toBe(shape);
    expect(shapeOfAction(call as Action, () => true)).toBe(text);
  });
});

describe('the shape of a request', () => {
  const request = (object: string, args?: Arguments): Action => ({
    kind: 'http',
    verb: 'POST',
    object,
    text: '',
    ...(args && { args }),
  });

  it.each<[string, string]>([
    ['/v1/orders/99812/items', '/v1/orders/…/items'],
    ['/v1/orders/7', '/v1/orders/…'],
    ['/orders?sort=asc&force=true&x=&flag', '/orders?sort=…&force=…&x=&flag'],
    ['https://x.example/users/ada%40example.org', 'https://x.example/users/…'],
    ['/u/3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f/ord_55120', '/u/…/…'],
    ['/u/%ZZ', '/u/…'],
    [`/u/${'x'.repeat(80)}`, '/u/…'],
  ])('%j becomes %j', (path, shape) => {
    expect(shapeOfAction(request(path), nothing)).toBe(`POST ${shape}`);
  });

  it('has a body with names and shows what the task has', () => {
    expect(
      shapeOfAction(
        request('/orders/99812?sort=asc', { body: { sku: 'A1', n: 2 } }),
        occursIn('Put 2 into order 99812, asc'),
      ),
    ).toBe('POST /orders/99812?sort=asc {"sku": "…", "n": 2}');
    expect(shapeOfAction(request('/orders', {}), nothing)).toBe('POST /orders');
  });

  it.each([
    ['POST /orders {"sku": "A1"}', 'POST /orders {"sku": "…"}'],
    ['GET https://api.example/orders?state=open HTTP/1.1\nAccept: text/plain', 'GET /orders?state=…'],
    [
      '{"method": "POST", "path": "/orders/99812", "json": {"url": "/u/ada"}}',
      '{"method": "POST", "path": "/orders/…", "json": {"url": "…"}}',
    ],
    ['client.post("/orders", json={"sku": "A1"})', 'client.post("/orders", json={"sku": "…"})'],
    ['fetch("/orders", {method: "POST", body: {"n": 2}})', 'fetch("/orders", {"method": "POST", "body": {"n": …}})'],
  ])('keeps the syntax of %s', (text, shape) => {
    const [action] = readActions(text);

    expect(action?.kind).toBe('http');
    expect(shapeOfAction(action as Action, nothing)).toBe(shape);
  });
});

describe('words to a person', () => {
  it.each(['reply', 'think', 'finish'] as const)('lose what identifies: %s', (kind) => {
    expect(shapeOfAction(action(kind, 'Your order #W2378156 is on its way, Ada.'), nothing)).toBe(
      'Your order #<id> is on its way, <name>.',
    );
  });

  it('are a shape where they have arguments', () => {
    expect(shapeOfAction({ kind: 'finish', verb: 'done', args: { answer: 'Ada' }, text: '' }, nothing)).toBe(
      'done({"answer": "…"})',
    );
  });
});
