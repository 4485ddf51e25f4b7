import { namesAccount } from './fields.js';
import { maskData } from './values.js';

/** `‹text a b›` is the value `a b`, masked as `<text>`. */
const unmarked = (marked: string) => marked.replace(/‹\w+ ([^›]*)›/g, '$1');
const masked = (marked: string) => marked.replace(/‹(\w+) [^›]*›/g, '<$1>');
const nothing = () => false;

describe('data of one case', () => {
  it.each([
    "INSERT INTO queue (who, born, why) VALUES ('‹text Ada Marlow›', '‹text 1979-11-02›', '‹text a fall›')",
    `psql -c "INSERT INTO q VALUES ('‹text x›', NOW(), ‹number 42›, 1, NULL, ?), (lower('‹text Y›'), ‹number -3.5›)" -p 5432`,
    'REPLACE INTO q VALUES ("‹text it\'s›")',
    "UPDATE m SET banned = true, note = '‹text called where lilly_87 was›', n = n + 10 WHERE nick = '‹name darkwolf›'",
    "UPDATE m SET note = note || E'‹text was seen with Karl›', pin = ‹number 4711› WHERE kind = 'tea'",
    'UPDATE m SET note = $body$‹text was seen with Karl›$body$ WHERE kind = 1',
    'UPDATE m SET note = $$‹text was seen with Karl›$$ WHERE kind = 1',
    'open_ticket kind=new text="‹text was seen with Karl›"',
    `psql -c "UPDATE m AS t SET bonus = ‹number 300›, tries = 0" -p 5432`,
    "SELECT 1 FROM m WHERE state = 'open' AND (m.user_account = '‹name darkwolf›')",
    `curl -d '{"to": "general", "text": "‹text Welcome, Ada›", "n": 3, "pay": [‹number 62000›]}' https://a.example`,
    'git commit -am "‹text Fix the login (ACME-1182)›"',
    'gh pr create --title "‹text Retry once more›" --body "‹text Flaky test›"',
    'adduser --comment="‹text Room two›" x',
    'useradd -c "‹text Farid Nasser, Room 2.114, ext 5530›" -m ‹name fnasser›',
    'echo "‹text the safe is open›" > note.txt; echo -n "‹text all is well›" >> a',
    'for f in *; do git commit -m "‹text Ask Aisha about it›"; done',
    'notify "‹text Reported by Aisha today›"',
    'msg["Subject"] = "‹text Report for Helena›"',
    'income = ‹number 184250›  # a year',
    `cur.execute("INSERT INTO q VALUES (%s, %s)", ("‹text marlow›", "‹text a fall›", ‹number 42›))`,
    `requests.post(url, json={"to": "general", 'text': '‹text Welcome, Ada›'}); fetch(u, JSON.stringify({a: "‹text B c›"}))`,
    "UPDATE m SET banned = true WHERE id = ‹id 7›; DELETE FROM m WHERE state = 'old' AND m.user_id = ‹id 44›",
    'adduser --gecos "Farid Nasser" ‹name fnasser› --shell /bin/sh',
    'mv scan1.pdf /in/‹name Passport_Oksana_Melnyk_FE123456›.pdf',
  ])('is masked by where it stands: %s', (marked) => {
    expect(maskData(unmarked(marked), nothing, false)).toBe(masked(marked));
    expect(maskData(unmarked(marked), () => true, false)).toBe(unmarked(marked));
  });

  it.each([
    "SELECT * FROM t WHERE title = 'made in Germany' AND state = 'open' AND city = 'Oslo' AND total > 1000000",
    "INSERT INTO t SELECT * FROM u WHERE state = 'open'; INSERT INTO t VALUES (?, :a, %s, $1, NULL)",
    'cur.execute("SELECT a FROM b WHERE c = %s", ("night run", 42)); SELECT a FROM b WHERE kind_id = 7',
    "UPDATE t SET price = price * 1.1, seen = now() WHERE kind = 'tea'",
    `curl -H "Content-Type: application/json" -d '{"query": {"match": {"a": "two words"}}, "size": 100}' localhost:9200`,
    `curl --json '{"state": "in_progress", "kind": "A_B", "type": "text/html", "to": "https://a.example/B"}' b.example`,
    `kubectl patch deploy x -p '{"spec": {"replicas": 300}}'`,
    `find . -name "My file Two" -printf "%f is %s bytes" | grep "Failed login for Root" | awk '{print $1}'`,
    'ssh host -t "systemctl restart nginx now"; bash -c "ls the other folder"; psql -c "SELECT name FROM users"',
    'git log --since="the week before last" --grep x; date -d "last day of month"; ssh -o "StrictHostKeyChecking no" h',
    'gh issue list --label "good first issue"; kubectl get pods -l "app in web"; zip -s "my backup of files.zip" dir',
    'echo "Directory does not exist"; echo "Hello World" > a; sed -i "s/old text here/new/" b',
    'plt.title("Number of Users"); seconds = 604800\nsize = 1048576\nlimit = 1000000\nport = 8080',
    'data = {"Team": ["Red", "Blue"], "Points": [120, 250]}',
    "SELECT * FROM t WHERE made IN ('made in Oslo', 'made in Rome') AND (CASE WHEN note LIKE 'sent to Oslo' THEN 1 END)",
    'python Data_Loader.py && cat README.md Makefile Quarterly_numbers.pdf /home/dr_weiss/a',
    'df -h "one two"; cmd -m "--all of it"; cmd -m "12 of them here"',
  ])('is not what steers an action: %s', (text) => {
    expect(maskData(text, nothing, false)).toBe(text);
  });

  it.each([
    'aws s3 cp s3://docs/‹name Nakamura_divorce_settlement›.pdf .',
    'ls /home/‹name dr_weiss›/out /Users/‹name ada.marlow›',
  ])('of another case is a name in a path: %s', (marked) => {
    expect(maskData(unmarked(marked), nothing, true)).toBe(masked(marked));
  });

  it.each(['cat Main_loop.py README.md my-notes.txt', 'ls /home/ubuntu/app', 'tar xf a_b.tar.gz'])(
    'of another case is no other path: %s',
    (text) => {
      expect(maskData(text, nothing, true)).toBe(text);
    },
  );

  it.each(["INSERT x VALUES ('", 'update a set b = ', `curl -d '{"a": "`, 'git commit -m "a b c ', '" \'', 'A_B.c '])(
    'is found soon: %j',
    (part) => {
      const started = performance.now();
      maskData(part.repeat(Math.ceil(100_000 / part.length)), nothing, true);
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );
});

it('of columns, some tell whose row it is', () => {
  for (const column of ['nick', 'm.user', 'user_account', 'customer']) expect(namesAccount(column)).toBe(true);
  for (const column of ['state', 'owner', 'user_role', 'members_count']) expect(namesAccount(column)).toBe(false);
});
