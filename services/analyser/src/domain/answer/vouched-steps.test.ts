import { aHit, answerTo, times } from './test-kit/hits.js';

const desk = { agentType: 'desk' };
const origin = { agentType: 'desk' };
const refund = 'Refund order 550 for Mira, the mug came broken';

describe('a change that the task does not ask for', () => {
  it.each([
    ['is of another kind', 'orders.get(id=550)\norders.refund(id=550)', 'giftcards.issue(code="GX-77")'],
    ['sends something', 'orders.get(id=550)\norders.refund(id=550)', 'mailer.send(to="a@b.example", body="all")'],
    ['does the same to something else', 'orders.refund(id=550)', 'orders.refund(id=991)'],
    ['is a request', 'POST /orders/550/refund {"reason": "broken"}', 'POST /vouchers {"value": 100}'],
  ])('is left out if it %s', async (_, asked, extra) => {
    const { added } = await answerTo(refund, [aHit({ task: refund, example: `${asked}\n${extra}`, origin })], desk);

    expect(added).toMatch(/refund/);
    expect(added).not.toMatch(/giftcards|mailer|vouchers|\n.*\n.*orders\.refund\(id=…\)/);
  });

  it.each([2, 3])('is told once three runs have made it: %i', async (runs) => {
    const hits = times(runs, (at) => {
      const task = `Refund order 55${at} for Mira, the mug came broken`;
      return aHit({ task, example: `orders.refund(id=55${at})\ncasebook.note(text="done")`, origin });
    });

    const { added } = await answerTo('Refund order 550 for Mira, the mug came broken', hits, desk);

    expect(added).toContain('orders.refund(id=550)');
    expect(added.includes('casebook.note')).toBe(runs === 3);
  });

  it('needs several keys where the account has several', async () => {
    const example = 'orders.refund(id=550)\ngiftcards.issue(code="GX-77")';
    const hitsOf = (keys: readonly string[]) =>
      keys.map((keyId) => aHit({ task: refund, example, origin: { ...origin, keyId } }));
    const told = async (keys: readonly string[]) =>
      (await answerTo(refund, hitsOf(keys), { ...desk, severalKeys: true })).added.includes('giftcards');

    expect(await told(['a', 'a', 'a'])).toBe(false);
    expect(await told(['a', 'b', 'a'])).toBe(true);
  });

  it('needs keys of more than low trust', async () => {
    const example = 'orders.refund(id=550)\ngiftcards.issue(code="GX-77")';
    const hits = (['b', 'a', 'a', 'a'] as const).map((keyId) => {
      const trust = keyId === 'b' ? ({ trust: 'low' } as const) : {};
      return aHit({ task: refund, example, origin: { ...origin, keyId, ...trust } });
    });

    expect((await answerTo(refund, hits, { ...desk, severalKeys: true })).added).not.toContain('giftcards');
  });

  it.each([
    ['nobody can tell what the task asks for', 'Settle case 7', 'orders.refund(id=7)\norders.note(text="x")'],
    [
      'the task asks for more than one thing',
      'Freeze the header and colour it red',
      'freeze(row=1)\npaint(fill="red")',
    ],
    ['its names fit in another form', 'Cancel the booking', 'booking.cancellation(id=1)\nbooking.cancel(id=1)'],
    ['it acts on the same thing', 'Start the spinner', 'spinner.close_lid(on=True)\nspinner.start(on=True)'],
    ['it acts on what is named', 'Reboot the scanner at the ramp', 'unhook(at="ramp")\nreboot(at="ramp")'],
    ['hands do it on a page', 'Refund the order', 'fill("#why", "broken")\nrefund_order(id=1)\nclick("#save")'],
  ])('is told as it was if %s', async (_, task, example) => {
    const { added } = await answerTo(task, [aHit({ task, example, origin })], desk);

    for (const line of example.split('\n')) expect(added).toContain(line.slice(0, line.indexOf('(')));
  });

  it('stays if a person pinned it', async () => {
    const past = aHit({ task: refund, example: 'orders.refund(id=550)\ngiftcards.issue(code="GX-77")', origin });
    const lesson = past.name.split('.')[0] ?? '';
    const verdicts = [{ lesson, state: 'pinned' as const }] as never;

    expect((await answerTo(refund, [past], { ...desk, verdicts })).added).toContain('giftcards.issue');
  });

  it('is left out of a script of a program that nobody knows, if the task only looks', async () => {
    const told = async (task: string) =>
      (await answerTo(task, [aHit({ task, example: 'whq stock 51\nwhq user promote guest --level admin' })])).added;

    expect(await told('Show the stock of article 51')).toContain('whq stock 51');
    expect(await told('Show the stock of article 51')).not.toContain('promote');
  });

  it.each([
    ['Export the rota of ward 3', 'rotactl export --ward 3 --out r.csv\nrotactl share r.csv --link open', false],
    ['Export the rota of ward 3', 'rotactl unlock\nrotactl export --ward 3 --out r.csv', true],
    ['Export the rota of ward 3', 'rotactl lock\nrotactl export --ward 3\nrotactl unlock', true],
    ['Build the handbook', 'make handbook\n./copy-fonts.sh', true],
    ['Export the rota of ward 3 and share it', 'rotactl export --ward 3\nrotactl share r.csv --link open', true],
    ['Export the rota of ward 3 and tell Ann', 'rotactl export --ward 3\nrotactl notify --who Ann', true],
    ['Export the rota of ward 3, then clean up', 'rotactl export --ward 3\nrotactl sweep --quick', true],
  ])('is left out after a program has done what the task asks for: %s, %s', async (task, example, isWhole) => {
    const { added } = await answerTo(task, [aHit({ task, example })]);

    const lines = example.split('\n');
    expect(lines.filter((line) => added.includes(line))).toEqual(isWhole ? lines : lines.slice(0, 1));
  });

  it('is left out at a task that only looks, even if nothing else is named', async () => {
    const task = 'Summarise ticket 5512';
    const past = aHit({ task, example: 'tickets.get(id=5512)\nmailer.send(to="x@y.example", subject="5512")', origin });

    const { added } = await answerTo(task, [past], desk);

    expect(added).toContain('tickets.get(id=5512)');
    expect(added).not.toContain('mailer');
  });
});

describe('a run at a task that asks for something else', () => {
  const moved = aHit({
    task: 'Move 40 cartons of GLZ-118 from bay N3 to bay S7',
    example: 'check_stock(sku="GLZ-118", bay="N3")\ntransfer_stock(sku="GLZ-118", qty=40, to="S7")',
    similarity: 0.8,
    origin,
  });

  it('tells a question what it looked up', async () => {
    const { added } = await answerTo('How many cartons of GLZ-118 are in bay N3?', [moved], desk);

    expect(added).toContain('check_stock(sku="GLZ-118", bay="N3")');
    expect(added).not.toContain('transfer_stock');
  });

  it('tells nothing of a change that may not be told, or what it looked up where that would be told', async () => {
    const shared = aHit({
      task: 'Ann cannot open the folder Q2, please give her access',
      example: 'find_user(name="Ann")\nshare.grant(folder="Q2", user="ann@a.example")',
      similarity: 0.85,
      origin,
    });

    expect((await answerTo('Write off 40 cartons of GLZ-118, soaked', [moved], desk)).texts).toEqual([]);
    expect(
      (await answerTo('Take away her access to the folder Q2, Ann has moved on', [shared], desk)).added,
    ).not.toContain('grant');
  });

  it('gives way to a run of the wish of the task', async () => {
    const task = 'A lawyer of customer Ann writes about order 7. That is for a manager.';
    const escalated = aHit({ task, example: 'verify(who="Ann")\nescalate(order=7)', similarity: 0.8, origin });
    const stopped = aHit({
      task: 'Stop order 7, says Ann',
      example: 'verify(who="Ann")\nhalt(order=7)',
      similarity: 0.85,
      origin,
    });

    const { texts } = await answerTo(
      'Customer Bob is angry about order 9. Escalate that to a manager.',
      [stopped, escalated],
      desk,
    );

    expect(texts).toEqual([expect.stringContaining('escalate')]);
  });

  it('is not the same task, so its lookups are told with little confidence', async () => {
    const question = 'Who moved 40 cartons of GLZ-118 from bay N3 to bay S7?';

    expect((await answerTo(question, [moved], desk)).confidenceScore).toBeLessThan(0.5);
  });

  it('tells nothing if it looked up nothing', async () => {
    const past = aHit({ task: 'Cancel the order 7 of Ann', example: 'cancel_order(id=7)', similarity: 0.8, origin });

    expect((await answerTo('Was the order 7 of Ann cancelled?', [past], desk)).texts).toEqual([]);
  });
});
