import { aHit, answerTo, times } from './test-kit/hits.js';

const secrets = ['mira_novak_4821', 'Mira', 'Novak', 'HK7Q2Z', 'credit_card_7793021', '1987-03-14', 'mira@example.org'];

function expectNoneOf(values: readonly string[], added: string): void {
  for (const value of values) expect(added).not.toContain(value);
}

const calls = {
  JSON: '{"name": "update_booking", "arguments": {"user_id": "mira_novak_4821", "booking_id": "HK7Q2Z", "payment_id": "credit_card_7793021", "cabin": "economy"}}',
  'JSON with flat arguments':
    '{"action": "update_booking", "user_id": "mira_novak_4821", "booking_id": "HK7Q2Z", "first_name": "Mira", "dob": "1987-03-14"}',
  Python: 'update_booking(user_id="mira_novak_4821", booking_id="HK7Q2Z", first_name="Mira", last_name="Novak")',
  'a function with an object':
    'update_booking({"user_id":"mira_novak_4821","email":"mira@example.org","dob":"1987-03-14"})',
  XML: '<tool_call><name>update_booking</name><arguments>{"user_id": "mira_novak_4821", "booking_id": "HK7Q2Z"}</arguments></tool_call>',
  HTTP: 'POST /bookings/HK7Q2Z {"user_id": "mira_novak_4821", "payment_id": "credit_card_7793021"}',
};

describe('values of another case', () => {
  it.each(Object.entries(calls))('are masked in a call as %s', async (_, example) => {
    const past = 'I want to move my booking HK7Q2Z to a later day, my name is Mira Novak';
    const far = aHit({ task: past, example, similarity: 0.75 });
    const vague = aHit({ task: 'I want to change my booking', example });

    const elsewhere = await answerTo('I would like to move my booking to another day', [far]);
    const same = await answerTo('I want to change my booking', [vague]);

    expect(elsewhere.added).toMatch(/update_booking|bookings/);
    expect(same.added).toMatch(/update_booking|bookings/);
    expectNoneOf(secrets, elsewhere.added);
    expectNoneOf(secrets, same.added);
  });

  it('include the numbers of the task that a call or a reply was for, but not of one for a command', async () => {
    const past = 'The customer wants a refund of 49.90 to the card ending 4411';
    const asked = 'The customer wants a refund of 12.00 to the card he used';
    const call = aHit({ task: past, example: 'get_order({"order_id": "…"})', similarity: 0.75 });
    const command = aHit({ task: 'List the files above 40 MB', example: 'find . -size +40M', similarity: 0.75 });

    const { added } = await answerTo(asked, [call]);
    expect(added).toContain('refund of <number> to the card ending <number>');
    expect((await answerTo('List files above a limit', [command])).added).toContain('40 MB');
  });

  it('include short numbers that the task has for something else', async () => {
    const past = 'Book the room 5 for 5 people at 5 pm';
    const example = '{"name": "book", "arguments": {"room": 5, "guests": {"peopleCount": "5"}, "hour": 17}}';
    const { added } = await answerTo('Book the room 6 for 5 people at 5 pm', [aHit({ task: past, example })]);

    expect(added).toContain('{"room": …, "guests": {"peopleCount": "5"}, "hour": …}');
    const own = await answerTo('Book room 7 at 8', [aHit({ task: 'Book room 5 at 6', example: 'book(n=5, at=6)' })]);
    expect(own.added).toContain('book(n=7, at=8)');
  });

  it('include numbers that stand for two things in the past', async () => {
    const example = 'pay(amount=300, source=300, target=512)';
    const past = aHit({ task: 'Pay 300 from the account 300 to the account 512', example, similarity: 0.9 });

    const { added } = await answerTo('Pay 70 from the account 300 to the account 831', [past], { agentType: 'desk' });
    expect(added).toContain('pay(amount=…, source=…, target=…)');
  });

  it('include the ids of a query that are masked in its task, and those of whoever says “my”', async () => {
    const example = "SELECT * FROM bills WHERE customer_id = 4417 AND state = 'open'";
    const ofGuest = aHit({ task: 'Show the open bills of customer 4417', example, similarity: 0.9 });
    const mine = aHit({ task: 'Show my open bills', example });

    expect((await answerTo('Show the open bills of each customer', [ofGuest])).added).toContain('customer_id = … AND');
    expect((await answerTo('Show my open bills', [mine])).added).toContain("customer_id = … AND state = 'open'");
  });

  it.each([
    ['Count the bills of today', "SELECT count(*) FROM bills WHERE day = '2031-03-04'", "day = '<date>'"],
    ['Zähle die Rechnungen dieser Woche', "SELECT 1 FROM bills WHERE day >= '2031-03-04'", "day >= '<date>'"],
    ['Pack the log of yesterday', 'gzip app-2031-03-03.log', 'gzip app-<date>.log'],
    ['Pack the log of 2031-03-03', 'gzip app-2031-03-03.log', 'gzip app-2031-03-03.log'],
  ])('include what a date was on another day: %s', async (task, example, shown) => {
    expect((await answerTo(task, [aHit({ task, example })])).added).toContain(shown);
  });

  it('include what was decided with yes or no, unless several cases decided alike', async () => {
    const blocked = (id: string, more = '') =>
      aHit({
        task: `My card ${id} was stolen, block it`,
        example: `block({"card": "${id}", "permanent": true${more}})`,
        similarity: 0.8,
      });
    const asked = 'I mislaid my card, block it for a day until I find it';

    expect((await answerTo(asked, [blocked('C-4711')])).added).toContain('block({"card": "…", "permanent": …})');
    expect((await answerTo('My card C-4711 was stolen, block it', [blocked('C-4711')])).added).toContain('true');
    const several = await answerTo(asked, [blocked('C-4711'), blocked('C-4712', ', "loud": true')]);
    expect(several.added).toContain('"permanent": true');
    expect(several.added).not.toContain('"loud": true');
  });

  it('include a value that the new task has in another role', async () => {
    const example = 'change_plan({"from": "Basic", "to": "Premium"})';
    const past = aHit({ task: 'Move the customer from plan Basic to plan Premium', example, similarity: 0.8 });

    const down = await answerTo('Move the customer to plan Basic, she pays too much', [past], { agentType: 'desk' });
    const up = await answerTo('Move the customer from plan Basic, it is too slow', [past], { agentType: 'desk' });

    expect(down.added).toContain('change_plan({"from": "…", "to": "…"})');
    expect(up.added).toContain('change_plan({"from": "Basic", "to": "…"})');
  });

  it('do not include a size or a time in another unit', async () => {
    const example = "aws s3api list-objects-v2 --bucket acme-logs --query 'Contents[?Size>`104857600`].Key'";
    const past = aHit({ task: 'Which objects of the bucket acme-logs exceed 100 MB?', example, similarity: 0.9 });

    const { added } = await answerTo('Tell me the objects of the bucket acme-logs that are above 100 MB', [past]);
    expect(added).toContain(`Example: ${example}`);
    const more = await answerTo('Tell me the objects of the bucket acme-logs that are above 300 MB', [past]);
    expect(more.added).not.toContain('104857600');
    const cards = aHit({ task: 'Give the 5 members a voucher', example: 'give(amount=5000)', similarity: 0.9 });
    expect((await answerTo('Hand the 5 members their voucher', [cards])).added).not.toContain('5000');
  });

  it('include the dates of a query that are masked in its task', async () => {
    const task = 'List the users who signed up since January 5, 2024';
    const example = "SELECT id FROM users WHERE signed_up >= '2024-01-05' AND left_at < '9999-12-31'";
    const hit = aHit({ task, example, similarity: 0.8 });

    const { added } = await answerTo('List the users who signed up recently', [hit]);
    expect(added).toMatch(/since <date>\n[^\n]*\n {3}Example: SELECT id FROM users WHERE signed_up >= '<date>'/);
    expect(added).toContain('9999-12-31');
    expect((await answerTo(task, [hit])).added).toContain("'2024-01-05'");
  });

  it('include a date that follows from one of its task', async () => {
    const example = "SELECT sum(kwh) FROM meters WHERE day >= '2031-02-01' AND day < '2031-03-01'";
    const hit = aHit({ task: 'Sum up the meters from 2031-02-01 to 2031-02-28', example, similarity: 0.9 });

    const { added } = await answerTo('Sum up the meters from 2031-05-01 to 2031-05-31', [hit]);
    expect(added).toContain("day >= '<date>' AND day < '<date>'");
  });

  it('include what a query sets that the task does not say, in whatever form', async () => {
    const task = 'Ban the user who was reported';
    const example = "UPDATE members SET state = 'banned', note = 'harassed lilly_87' WHERE nick = 'darkwolf'";
    const { added } = await answerTo(task, [aHit({ task, example })]);

    expect(added).toContain("SET state = 'banned', note = '<text>' WHERE nick = '<name>'");
    const said = `${task}: darkwolf harassed lilly_87`;
    expect((await answerTo(said, [aHit({ task: said, example })])).added).toContain(example);
  });

  it('do not include what other tasks set as well, or a number that may follow from the task', async () => {
    const task = 'Enter a payment';
    const paid = (said: string, state: string, cents: number) =>
      aHit({ task: said, example: `INSERT INTO paid (state, cents) VALUES ('${state}', ${cents})`, similarity: 0.9 });
    const told = async (said: string, hits: Parameters<typeof answerTo>[1]) => (await answerTo(said, hits)).added;

    expect(await told(task, [paid(task, 'fresh', 750)])).toContain("VALUES ('<text>', <number>)");
    const others = [paid(task, 'fresh', 750), paid('Enter a payment by mail', 'fresh', 800)];
    expect(await told(task, others)).toContain("VALUES ('fresh', <number>)");
    const oneCase = [paid(task, 'marlow', 750), paid('Enter a payment by mail', 'marlow', 750)];
    expect(await told(task, oneCase)).not.toContain('marlow');
    expect(await told(`${task} of 7.50`, [paid(`${task} of 7.50`, 'fresh', 750)])).toContain("('<text>', 750)");
  });

  it('include a name in a path of another case', async () => {
    const task = (record: string) => `Export the results of the record ${record}`;
    const example = 'labtool export 00123456 --out /exports/Weber_results.pdf';
    const { added } = await answerTo(task('00999111'), [aHit({ task: task('00123456'), example })]);

    expect(added).toContain('labtool export 00999111 --out /exports/<name>.pdf');
    const same = await answerTo(task('00123456'), [aHit({ task: task('00123456'), example })]);
    expect(same.added).toContain(example);
  });

  it('include the numbers of a reply that its task brought up', async () => {
    const past = 'May I get back 49.90 for the parcel that came late?';
    const content = 'You get back 49.90 within 30 days.';
    const reply = aHit({ task: past, similarity: 0.8, insight: { rule: 'talk', content, actions: [] } });

    const { added } = await answerTo('May I get my money back for the parcel that came late?', [reply]);
    expect(added).toContain('You get back <number> within 30 days');
    expect(added).not.toContain('49.90');
  });

  it('include what a reply tells in a record, or in a script without letter case, unless the task is the very same', async () => {
    const task = 'Where does this guest stay and what is the view?';
    const reworded = 'Where does this guest stay, and what is the view there?';
    const replies = ['guest: marlow\nview: sea', 'マーロウは屋根裏部屋に泊まります。'];

    for (const example of replies) {
      const hit = aHit({ task, example, insight: { rule: 'reply', actions: [], effects: [] } });
      expect((await answerTo(task, [hit])).added).toContain(example.split('\n')[0]);
      expectNoneOf(['marlow', 'sea', 'マーロウ'], (await answerTo(reworded, [hit])).added);
    }
    const label = aHit({ task, example: 'in the attic', insight: { rule: 'reply', actions: [], effects: [] } });
    expect((await answerTo(reworded, [label])).added).toContain('in the attic');
  });

  it('include who a conversation without letter case is about', async () => {
    const content = 'يقيم أحمد حسن في الغرفة العليا مع إطلالة على البحر';
    const hit = aHit({ task: 'Where does he stay?', similarity: 0.9, insight: { rule: 'talk', content, actions: [] } });

    expect((await answerTo('Where does she stay now?', [hit])).added).not.toContain('أحمد');
  });

  it('include what the past task of a call quotes', async () => {
    const task = "Decline the meeting with the note 'at the dentist'";
    const hit = aHit({ task, example: 'decline({"note": "at the dentist"})', similarity: 0.85 });

    const { added } = await answerTo("Decline the meeting with the note 'on a train'", [hit]);
    expect(added).not.toContain('dentist');
    expect((await answerTo(task, [hit])).added).toContain('at the dentist');
  });

  it('include what is typed into a page or given to a tool, whatever it looks like', async () => {
    const task = 'Close the case of the visitor';
    const example =
      'fill("#name", "gisela")\nselect("#reason", "Duplicate")\ngui.hotkey("ctrl", "s")\nclose_case("gisela holm", "4 stars", True)\nlookup("sales rooms")';

    const { added } = await answerTo(task, [aHit({ task, example })]);

    expect(added).toContain('fill("#name", "…")');
    expect(added).toContain('select("#reason", "Duplicate")');
    expect(added).toContain('gui.hotkey("ctrl", "s")');
    expect(added).toContain('close_case("…", "…", True)');
    expect(added).toContain('lookup("sales rooms")');
  });

  it('include what a call is given, in the words of its task and its differences, too', async () => {
    const past = aHit({
      task: 'hi its bjarne solheim, my parcel to nordre gate 12 is late, reship it',
      example: 'find(name="Bjarne Solheim")\nreship(to="Nordre gate 12", speed="express")',
      similarity: 0.85,
    });

    const { added } = await answerTo('hi, my parcel is late, reship it, agnes morel', [past]);

    expect(added).toContain('reship(to="…"');
    expect(added).not.toMatch(/bjarne|solheim|nordre/i);
  });

  it('include the id that a query looks for where the task has no number, but not the columns that it joins', async () => {
    const example = 'SELECT o.total FROM orders o JOIN guests g ON o.guest_id = g.id WHERE g.id = 88123';
    const shown = async (task: string) => (await answerTo(task, [aHit({ task, example })])).added;
    const masked = 'ON o.guest_id = g.id WHERE g.id = …';

    expect(await shown('Show the orders of the guest')).toContain(masked);
    expect(await shown('Show my orders')).toContain(masked);
    expect(await shown('Show the orders of the guest 88123')).toContain(example);
    const paid = 'SELECT name FROM guests WHERE paid = 5000';
    expect((await answerTo('Show who paid', [aHit({ task: 'Show who paid', example: paid })])).added).toContain(paid);
  });

  it('do not include page labels, which are shown for the same task unless they hold a name, an id or a sentence', async () => {
    const task = 'Refund the order completely';
    const example =
      'click("text=Refund full amount")\nfill("#note", "Mira Novak called and was quite upset today")\nopen("HK7Q2Z")';

    const { added } = await answerTo(task, [aHit({ task, example })]);
    const elsewhere = await answerTo('Refund half of the order', [aHit({ task, example, similarity: 0.8 })]);

    expect(added).toContain('click("text=Refund full amount")');
    expectNoneOf(['Mira', 'upset', 'HK7Q2Z'], added);
    expectNoneOf(['Refund full amount', 'Mira', 'upset', 'HK7Q2Z'], elsewhere.added);
  });

  it('are shown if the task or its context contains them', async () => {
    const task = 'Move booking HK7Q2Z to a later day';
    const hit = aHit({ task, example: 'update_booking(user_id="mira_novak_4821", booking_id="HK7Q2Z")' });

    expect((await answerTo(task, [hit])).added).toContain('HK7Q2Z');
    expect((await answerTo(task, [hit])).added).not.toContain('mira_novak_4821');
    expect((await answerTo(task, [hit], { context: { user: 'mira_novak_4821' } })).added).toContain('mira_novak_4821');
  });

  it('are replaced by those of the new task where their place is clear', async () => {
    const past = aHit({ task: 'Cancel booking HK7Q2Z today', example: 'cancel_booking(booking_id="HK7Q2Z")' });

    const { added } = await answerTo('Cancel booking PL0X3M today', [past]);

    expect(added).toContain('PL0X3M');
    expect(added).not.toContain('HK7Q2Z');
  });

  it('are masked in a script, for a variant and for the same task, which does not name them', async () => {
    const task = (city: string) => `Export the guests of ${city} as CSV`;
    const example =
      'import crm\nrows = crm.find(city="Oslo", owner="HK7Q2Z", by="mira@example.org")\ncrm.save(rows, "guests.csv")';
    const { added } = await answerTo(task('Bergen'), [aHit({ task: task('Oslo'), example })]);

    expect(added).toContain('crm.find(city="Bergen"');
    expectNoneOf(secrets, added);
    const same = await answerTo(task('Oslo'), [aHit({ task: task('Oslo'), example })]);
    expect(same.added).toContain('crm.find(city="Oslo"');
    expectNoneOf(secrets, same.added);
  });

  it('do not include texts made of words of the task', async () => {
    const task = 'Who wrote the novel behind the film Northern Light?';
    const example = 'search(query="the novel Northern Light")\nsearch(query="Northern Light by Mira Novak")';
    const { added } = await answerTo(task, [aHit({ task, example })]);

    expect(added).toContain('search(query="the novel Northern Light")');
    expectNoneOf(secrets, added);
  });

  it('do not include what an identifier joins of words of the task, unless it holds a number', async () => {
    const task = 'Turn on the light in the reading room at 1 pm';
    const example = 'switch_on(device="light.reading_room")\nswitch_on(device="light_1")';
    const { added } = await answerTo(task, [aHit({ task, example })]);

    expect(added).toContain('switch_on(device="light.reading_room")');
    expect(added).not.toContain('light_1');
  });

  it('do not include the operation that a general tool is told to do', async () => {
    const example = 'call_service("light.turn_on", {"entity_id": "light.attic"})';
    const past = aHit({ task: 'Turn on the light in the attic', example, similarity: 0.8 });

    const { added } = await answerTo('Turn on the light in the cellar, and only there', [past]);
    expect(added).toContain('call_service("light.turn_on", {"entity_id": "…"})');
  });

  it.each([
    ['once if they only look', 'look', 1],
    ['as often as they changed something', 'move', 3],
  ])('leave lines that become equal %s', async (_, action, count) => {
    const example = ['3', '14', '15'].map((row) => `{"action": "${action}", "row": ${row}}`).join('\n');
    const { added } = await answerTo('Sort the list by name', [aHit({ task: 'Sort the list by name', example })]);

    expect(added.match(new RegExp(action, 'g'))).toHaveLength(count);
  });

  it.each([
    'click(selector="#a3f")\nclick(selector="#b71")',
    'click_element_by_index({"index": 17})',
    '{"action": "click", "x": 300, "y": 512, "double": false}',
    'click("#a3f > li")',
    'click [12]\nclick [44]',
  ])('leave nothing to tell of places on a page: %s', async (example) => {
    const task = 'Sort the parcels by weight';
    const far = aHit({ task, example, similarity: 0.8 });
    const orders = aHit({ task: 'Sort the orders by weight', example: 'sort_orders(by="kg")', similarity: 0.7 });

    expect((await answerTo('Sort the letters by weight', [far])).added).toBe('');
    expect((await answerTo('Sort the letters by weight', [far, orders])).added).toContain('sort_orders');
    const pinned = { ...far, state: 'pinned' as const };
    expect((await answerTo('Sort the letters by weight', [pinned])).added).toContain('click');
  });

  it('leave a call to tell where a place on a page is not all that it says', async () => {
    const task = 'Search the shop for a red kite';
    const example = 'input_text({"index": 3, "text": "red kite"})\nclick_element_by_index({"index": 5})';

    const { added } = await answerTo(task, [aHit({ task, example })]);
    expect(added).toContain('input_text({"index": …, "text": "red kite"})');
  });

  it('do not include what a task of the same wording says in another form', async () => {
    const hit = aHit({ task: 'Close ticket 4411', example: 'update(id=4411, status="closed", by="mklein")' });

    expect((await answerTo('Close ticket 5120', [hit])).added).toContain('update(id=5120, status="closed", by="…")');
  });

  it('include full names in the spelling of a script', async () => {
    const example =
      'import pandas as pd\nrows = pd.read_csv("sleep.csv")\nrows.plot(title="Sleep of Vera Ricci")\nplt.savefig("vera_ricci.png")';
    const hit = aHit({ task: 'Plot the sleep of patient Vera Ricci', example, similarity: 0.8 });

    const { added } = await answerTo('Plot the sleep of all patients', [hit]);
    expect(added).toContain('plt.savefig("<name>.png")');
    expect(added).not.toMatch(/ricci/i);
    expect((await answerTo('Plot the sleep of patient Vera Ricci', [hit])).added).toContain('vera_ricci.png');
  });

  it('include codes of letters and digits', async () => {
    const call = aHit({ task: 'Order two units of AX-9 for the shop', example: 'order({"n": 2})', similarity: 0.75 });

    expect((await answerTo('Order some units of BR-1 for the shop', [call])).added).toContain('units of <number> for');
  });

  it('are kept if a tool takes them in different cases, but not if it is one case in many wordings', async () => {
    const booking = (task: string, user: string, cabin: string) =>
      aHit({ task, example: `book(user_id="${user}", cabin="${cabin}")`, similarity: 0.8 });
    const wordings = ['Book me a seat', 'I need a seat', 'A seat for my trip, please', 'Get me a seat on a train'];
    const cases = wordings.map((task, at) => booking(task, `user_${at}41${at}`, 'economy'));
    const oneCase = wordings.map((task) => booking(task, 'user_0410', 'economy'));
    const chained = ['user_0410', 'user_0410", trip="T-7781', 'T-7781'].map((user, at) =>
      booking(wordings[at] ?? '', user, 'economy'),
    );

    const question = 'I have to travel by rail tomorrow, can I get a place to sit?';
    expect((await answerTo(question, cases)).added).toContain('economy');
    expect((await answerTo(question, oneCase)).added).not.toContain('economy');
    expect((await answerTo(question, chained)).added).not.toContain('economy');
  });

  it('are masked in the task shown with an example and in replies', async () => {
    const past = aHit({
      task: 'Mira Novak (mira@example.org, booking HK7Q2Z) wants her list of orders',
      example: 'SELECT id, total FROM orders ORDER BY id',
      similarity: 0.8,
    });
    const reply = aHit({ task: 'Where is my parcel?', example: 'Dear Mira Novak, booking HK7Q2Z is on its way.' });

    const { added } = await answerTo('List the orders of a customer with SQL', [past]);
    expect(added).toContain('FROM orders');
    expectNoneOf(secrets, added);
    expectNoneOf(secrets, (await answerTo('Where is my parcel?', [reply])).added);
  });

  it('such as paths and sizes stay in commands for the same task', async () => {
    const task = 'Show the files larger than 5 MB in /srv/in';
    const { added } = await answerTo(task, [aHit({ task, example: 'find /srv/in -size +5M' })]);

    expect(added).toContain('Example: find /srv/in -size +5M');
  });

  it('leave nothing to show of an answer to another question', async () => {
    const [own, other] = ['Count the wheels in the shed', 'Count the wheels in the yard'];
    const hit = aHit({ task: own, example: 'count_things(kind="wheel")\nfinish[42]', similarity: 0.8 });

    expect(
      (
        await answerTo(
          other,
          times(2, () => hit),
        )
      ).added,
    ).not.toContain('42');
  });
});
