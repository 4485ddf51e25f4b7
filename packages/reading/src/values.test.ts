import type { Action, Arguments } from './action.js';
import { shapeOfAction } from './action-shape.js';
import { kindOfField } from './fields.js';
import { isId, isLongId } from './ids.js';
import { valuesOf } from './task-values.js';
import { identifyingValues, maskCode, maskText } from './values.js';

const nothing = () => false;
const masked = (text: string) => maskText(text, nothing);

describe('what identifies somebody or a case in words', () => {
  it.each([
    ['Mail ada.marlow@example.org or call 555-201-9988.', 'Mail <email> or call <phone>.'],
    ['Ring (555) 201-9988, +44 20 7946 0018 or 0151/23456789.', 'Ring <phone>, <phone> or <phone>.'],
    ['order ord_55120, ticket INV-2024-001, code ZX81QT', 'order <id>, ticket <id>, code <id>'],
    [
      'order #4711, invoice no. 815, account: 9921, case number 77A',
      'order #<id>, invoice no. <id>, account: <id>, case number <id>',
    ],
    [
      'card ending in 7447, booking is HXDUBJ, reservation, QWERTZ',
      'card ending in <id>, booking is <id>, reservation, <id>',
    ],
    ['reservation with the ID IFOYYZ, **Booking ID**: HATHAT', 'reservation with the ID <id>, **Booking ID**: <id>'],
    ['I have AB12C3, QWERTZ and HELLO', 'I have <id>, <id> and HELLO'],
    ['last four 7447, paid by Visa ending with 1290', 'last four <id>, paid by <name> ending with <id>'],
    ['- **Ada Marlow** has paid', '- **<name>** has paid'],
    [
      'Bestellung 9912, Rechnung Nr. 881, Kunde 7712, Buchung 6611',
      'Bestellung <id>, Rechnung Nr. <id>, Kunde <id>, Buchung <id>',
    ],
    [
      'commande 9912, facture 8812, pedido 7712, factura 6612',
      'commande <id>, facture <id>, pedido <id>, factura <id>',
    ],
    [
      'ticket 9912, customer 8812, passport 7712, member 6612, membership 6613',
      'ticket <id>, customer <id>, passport <id>, member <id>, membership <id>',
    ],
    [
      'policy 9912, flight 8812, confirmation 7712, tracking 6612, reference 5512',
      'policy <id>, flight <id>, confirmation <id>, tracking <id>, reference <id>',
    ],
    [
      'user name is ada.m1, username: x77, user id 123, login = ab12',
      'user name is <id>, username: <id>, user id <id>, login = <id>',
    ],
    ['It is #W2378156 or 99182736 or a1b2c3d4 or dQw4w9WgXcQ1', 'It is <id> or <id> or <id> or <id>'],
    ['key=99182 for order:10223', 'key=<id> for order:<id>'],
    ['born 1990-04-05, due May 20th, 3. März 2026, 12/24/2031', 'born <date>, due <date>, <date>, <date>'],
    ['on 24.12.2026, 20 de mayo de 2026 and 1er juillet', 'on <date>, <date> and <date>'],
    ['paid $49.90, 12,50 €, EUR 20 and 30 dollars', 'paid <amount>, <amount>, <amount> and <amount>'],
    ['lives at 12 Old Mill Lane, Apt. 7B, Elmwood, TX 00501', 'lives at <address>, <address>, <address>'],
    ['wohnt in der Lindenstraße 12a', 'wohnt in der <address>'],
    ['vive en Calle Mayor 5 o 7 rue de la Gare', 'vive en <address> o <address>'],
    ['at 52.52031, 13.40495 now', 'at <address> now'],
    ['pay from DE89 3704 0044 0532 0130 00 with 4111 1111 1111 1111', 'pay from <id> with <id>'],
    ['thanks to @ada_marlow', 'thanks to <name>'],
    ['田中さんの注文', '<name>さんの注文'],
    ['see 3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f', 'see <id>'],
    [
      'see https://shop.example/orders/99812/items?id=abc_9912&sort=asc#top',
      'see https://shop.example/orders/<id>/items?id=<id>&sort=asc#top',
    ],
    ['see https://shop.example/u/ada%40example.org/x', 'see https://shop.example/u/<id>/x'],
    ['She said "I need it by tomorrow" and went', 'She said "<text>" and went'],
    ['with the comment: “leave it at the door”', 'with the comment: “<text>”'],
  ])('%j becomes %j', (text, general) => {
    expect(masked(text)).toBe(general);
  });

  it.each(
    [
      ['says', 'wrote', 'typed', 'replied', 'message', 'note', 'reason', 'feedback', 'subject'].map((cue) => [cue]),
    ].flat(),
  )('what somebody typed after %j is not told', (cue) => {
    expect(masked(`the ${cue} "please come at noon" there`)).toBe(`the ${cue} "<text>" there`);
  });

  it.each([
    [
      '{"first_name": "Ada", "last_name": "marlow", "plan": "gold"}',
      '{"first_name": "<name>", "last_name": "<name>", "plan": "gold"}',
    ],
    [
      '{"city": "Bath", "zip": "x1", "note": "at the door", "count": 3}',
      '{"city": "<address>", "zip": "<address>", "note": "<text>", "count": 3}',
    ],
    [
      "{'email': 'ada@bath', 'phone': '77 1', 'dob': '5/4/90', 'id': 'a1'}",
      "{'email': '<email>', 'phone': '<phone>', 'dob': '<date>', 'id': '<id>'}",
    ],
    ['name: Ada Marlow, table_name: visits, id: 77', 'name: <name>, table_name: visits, id: <id>'],
    ['customer = Ada; city: Bath', 'customer = <name>; city: <address>'],
    [
      '{"passenger": "O\'Hara \\" x", "id": "none", "note": "late"}',
      '{"passenger": "<name>", "id": "none", "note": "late"}',
    ],
  ])('a record %j becomes %j', (text, general) => {
    expect(masked(text)).toBe(general);
  });

  it.each(
    'Street St Avenue Ave Road Rd Drive Dr Lane Ln Boulevard Blvd Court Ct Way Place Square Terrace Highway Parkway Circle Crescent Close'.split(
      ' ',
    ),
  )('an address may end with %s', (street) => {
    expect(masked(`at 12 Old Mill ${street} today`)).toBe('at <address> today');
  });

  it.each([
    ...'Lindenstraße Lindenstrasse Lindenstr. Lindenweg Lindenplatz Lindenallee Lindengasse Lindendamm Lindenufer'
      .split(' ')
      .map((street) => `${street} 12`),
    ...'rue avenue boulevard chemin quai calle avenida plaza paseo viale piazza rua'
      .split(' ')
      .map((street) => `7 ${street} Linden`),
    ...'de la le les des du del los las'.split(' ').map((link) => `7 rue ${link} Linden`),
    "7 rue d'Or",
    "7 rue de l'Or",
    'rue Linden 7',
    ...'Suite Apt Apartment Unit Wohnung'.split(' ').map((unit) => `${unit} 12`),
    'TX 00501-1234',
    'SW1A 1AA',
  ])('%j is an address', (address) => {
    expect(masked(`at ${address} there`)).toBe('at <address> there');
  });

  it.each([
    ...'$5 €5 £5 ¥5 ₹5 ₩5 ₽5'.split(' '),
    ...'EUR USD GBP CHF JPY CNY CAD AUD INR BRL MXN'
      .split(' ')
      .flatMap((currency) => [`${currency} 5`, `5 ${currency}`]),
    ...'€ £ ¥ ₹ euro euros dollar dollars pounds francs pesos yen Euro'.split(' ').map((currency) => `5 ${currency}`),
  ])('%j is an amount', (amount) => {
    expect(masked(`pay ${amount} there`)).toBe('pay <amount> there');
  });

  it.each(
    (
      'January Jan Januar janvier enero gennaio February Feb Februar février febrero febbraio March Mar März marzo April Apr avril ' +
      'abril aprile May Mai mayo maggio June Jun Juni juin junio giugno July Jul Juli juillet julio luglio August Aug août agosto ' +
      'September Sep Sept septembre septiembre settembre October Oct Oktober Okt octobre octubre ottobre November Nov novembre ' +
      'noviembre December Dec Dezember Dez décembre diciembre dicembre Mars'
    ).split(' '),
  )('a day in %s is a date', (month) => {
    expect(masked(`due ${month} 5, 2026 there`)).toBe('due <date> there');
    expect(masked(`due 5 ${month} there`)).toBe('due <date> there');
  });

  it.each('さん 様 先生 女士 氏 님 씨'.split(' '))('a name stands before %s', (title) => {
    expect(masked(`田中${title}です`)).toBe(`<name>${title}です`);
  });

  it.each('reservation booking confirmation ticket flight tracking reference'.split(' '))(
    'a %s may have letters only',
    (noun) => {
      expect(masked(`my ${noun} QWERTZ is late`)).toBe(`my ${noun} <id> is late`);
      expect(masked('my policy QWERTZ is late')).toBe('my policy QWERTZ is late');
    },
  );

  it.each(['=', '==', ':', '=>', ' LIKE ', ' ilike '])('a field may be followed by %j', (sign) => {
    expect(maskCode(`first_name${sign}'Ada'`, nothing)).toBe(`first_name${sign}'<name>'`);
  });

  it('is replaced once, in order, and listed once', () => {
    expect(identifyingValues('ada@example.org wrote to Ada Marlow and ada@example.org on 2026-03-05')).toEqual([
      'ada@example.org',
      'Ada Marlow',
      '2026-03-05',
    ]);
  });

  it('is shown where it may be', () => {
    expect(maskText('Ada Marlow paid $49.90 for ord_55120', valuesOf('Refund ORD_55120, 49.9 dollars'))).toBe(
      '<name> paid $49.90 for ord_55120',
    );
  });

  it('stays a placeholder where it is one', () => {
    for (const text of [
      '{"user_id": "<id1>", "name": "{name}"}',
      '{"user_id": "$USER1_ID", "name": "[name]"}',
      '{"name": "…x…"}',
    ])
      expect(masked(text).replace('…x…', '<name>')).toBe(text.replace('…x…', '<name>'));
  });
});

describe('names of people', () => {
  it.each([
    ['Hello, my name is Ada Marlow and I lost a card.', 'Hello, my name is <name> and I lost a card.'],
    ["my name's ada marlow and", "my name's <name> and"],
    [
      'Mein Name ist Jonas, ich heiße Ahorn, ich heisse Ulm.',
      'Mein Name ist <name>, ich heiße <name>, ich heisse <name>.',
    ],
    [
      'Je m’appelle Odile. Me llamo José. Mi nombre es Eva. Mi chiamo Ugo.',
      'Je m’appelle <name>. Me llamo <name>. Mi nombre es <name>. Mi chiamo <name>.',
    ],
    [
      'Write to Mr. Birch, Mrs Elm, Ms. Fir, Miss Oak, Dr. Yew and Prof. Ash now',
      'Write to Mr. <name>, Mrs <name>, Ms. <name>, Miss <name>, Dr. <name> and Prof. <name> now',
    ],
    [
      'bei Frau Müller und Herrn Ahorn, Herr Ulm ist nicht da',
      'bei Frau <name> und Herrn <name>, Herr <name> ist nicht da',
    ],
    [
      'voir Mme Roux, Monsieur Bel, Madame Sol, Señora Paz, Señor Gil, Signor Neri, Signora Blu',
      'voir Mme <name>, Monsieur <name>, Madame <name>, Señora <name>, Señor <name>, Signor <name>, Signora <name>',
    ],
    [
      'Hi Ada, it is late. Hello Ben. Hey Eve. Dear Ivo. Thanks Ugo. Thank you, Mia.',
      'Hi <name>, it is late. Hello <name>. Hey <name>. Dear <name>. Thanks <name>. Thank you, <name>.',
    ],
    [
      'Liebe Ada. Lieber Ben. Hallo Eve. Bonjour Guy. Cher Luc. Chère Zoé. Hola Ana. Estimada Eva. Ciao Ugo.',
      'Liebe <name>. Lieber <name>. Hallo <name>. Bonjour <name>. Cher <name>. Chère <name>. Hola <name>. Estimada <name>. Ciao <name>.',
    ],
    ['It is on its way, Ada. Really, Ben!', 'It is on its way, <name>. Really, <name>!'],
    ['Best regards, Ada', 'Best regards, <name>'],
    [
      'Sincerely, Ada; cheers, Ben; Viele Grüße Eve; Gruß Ivo; Cordialement, Luc; Saludos, Ana',
      'Sincerely, <name>; cheers, <name>; Viele Grüße <name>; Gruß <name>; Cordialement, <name>; Saludos, <name>',
    ],
    [
      'ask Ada Marlow, then Jean-Luc de la Tour, O’Hara McCoy and Łukasz Żuraw',
      'ask <name>, then <name>, <name> and <name>',
    ],
    ['Ada Marlow called. Ask Ada again.', '<name> called. Ask <name> again.'],
    ['Remove Ethan Elm. Find Ada Marlow. It is Ada’s.', 'Remove <name>. Find <name>. It is <name>’s.'],
    ['a trip from New York to Seattle for Ivan', 'a trip from <name> to <name> for <name>'],
    [
      'Bitte die Rechnung für Ada Marlow und das Konto von Ben Ulm prüfen',
      'Bitte die Rechnung für <name> und das Konto von <name> prüfen',
    ],
  ])('%j becomes %j', (text, general) => {
    expect(masked(text)).toBe(general);
  });

  it.each('für fuer von an bei kunden namens name heißt und mit'.split(' '))(
    'may stand behind %s in German',
    (before) => {
      expect(masked(`Wer ist nicht da und wartet ${before} Ada Marlow`)).toBe(
        `Wer ist nicht da und wartet ${before} <name>`,
      );
      expect(masked('Wer ist nicht da und wartet am Ufer Strand')).toBe('Wer ist nicht da und wartet am Ufer Strand');
    },
  );

  it.each('und der die das ist nicht ein eine für mit auf den dem bitte ich'.split(' '))(
    'are rarer in German, which %j tells',
    (word) => {
      expect(masked(`Kopiere ${word} x dort ${word} Datei Bericht`)).toBe(
        `Kopiere ${word} x dort ${word} Datei Bericht`.replace(/(?<=(?:für|mit|und) )Datei Bericht/, '<name>'),
      );
    },
  );

  it.each('de van von der den da di la del bin al el ten ter y'.split(' '))('may have %s in them', (particle) => {
    expect(masked(`we saw Ada ${particle} Marlow there`)).toBe('we saw <name> there');
  });

  it.each('el la los las de en para con le les et un une pour dans avec il per'.split(' '))(
    'of one word are seen beside %s',
    (word) => {
      expect(masked(`x ${word} x ${word} x Ada x`)).toBe(`x ${word} x ${word} x <name> x`);
      expect(masked('x xx x xx x Ada x')).toBe('x xx x xx x Ada x');
    },
  );

  it.each('customer passenger user patient guest client employee student cliente passager'.split(' '))(
    'stand behind %s',
    (noun) => {
      expect(masked(`Der ${noun} Ada ist nicht da und wartet`)).toBe(`Der ${noun} <name> ist nicht da und wartet`);
    },
  );
});

describe('what identifies nobody', () => {
  it.each([
    'Restart Docker and Kubernetes, then run SELECT COUNT(*) FROM visits and write JSON to /srv/a/b2/report_2024.csv in May.',
    'Use md5sum, sha256sum, base64, python3.11, utf-8, x86_64, us-east-1, h264, ipv6, mp3, ext4 and v1.2.3.',
    'Run it with --max-depth=2 -n 100, 10 ms, 24h, 500ms, 1080p, 5MB, 8GB, 3rd, 15%, 1000000 rows, 3.14159.',
    'Internal Server Error: 500, Not Found 404, Bad Request, Access Denied, Gateway Timeout, Permission denied for user root.',
    'Error TS2345, ORA-00942, CVE-2021-44228, RFC 2822, ISO-8859-1, SHA-256, AES256, UTF16, SQLSTATE 42000.',
    'Use Visual Studio, Google Sheets, Amazon Prime, Stack Overflow and Microsoft Teams on Monday in March.',
    'Print lines 10 to 20 of notes.md, part 3 of 12, between 2019 and 2024, pages 10-20, at 14:30.',
    'Getting Started With The New Data Loader For Everyone',
    'Click Submit, press Enter, open Details, and see the Orders table and the Basic Economy class.',
    'Copy /backups/2026-03-05/all.tar, C:\\Temp\\x12345y.txt and report_20260305.csv to 192.168.100.200:8080.',
    'Bitte die Datei Bericht in den Ordner Ablage kopieren und nicht die Tabelle Kunden löschen.',
    'Hello World. Hi there. Dear Customer. Thanks Team. Thank you, Sir.',
    'Find the FooBar class, the DataLoader and the X_Store entry; it is 2 Kilobytes.',
    'The user opens the account; the customer pays. A guest waits.',
    'Set the order to DESC or the reservation to TOTALS and SELECT',
    'Set the order to ascending, the card to red, flight status and the account type.',
    "Run `awk '{print $1}' a.txt` and `git log --since 2026-01-01 -n 12345`.",
    'the tool answered "column not found in table"',
    'I am here. He said: I know. “Ada” is a language, isn’t it?',
    'Wait until the 3 files and 20 people may 5 times meet, in Mai, en mayo.',
  ])('%j stays', (text) => {
    expect(masked(text)).toBe(text);
  });

  it.each(
    (
      'Monday Tuesday Wednesday Thursday Friday Saturday Sunday Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag ' +
      'Docker Kubernetes Linux Ubuntu Windows Git Github Gitlab Python Java Javascript Typescript Node React Django Flask ' +
      'Postgres Postgresql Mysql Sqlite Mongodb Redis Kafka Apache Nginx Jenkins Terraform Ansible Amazon Google Azure Cloud ' +
      'Microsoft Excel Chrome Firefox Android Slack Jira Visual Stack Web Bash Perl Ruby Rust Php Kotlin Scala Helm Grafana ' +
      'Prometheus Elasticsearch Spark Hadoop Airflow Pandas Maven Gradle Angular Vue Rails Spring Vim Emacs Internet ' +
      'English German French Spanish Italian Chinese Japanese ' +
      'Error Exception Warning Server Request Response Gateway Timeout Access Permission Internal Service File Folder ' +
      'Directory Table Column Row Database Schema Index Key Value Field Type Account Order Product Item Page Menu Button ' +
      'Settings Status Code Number Customer Support Team Network World Sir Madam Class Economy Business Premium Standard ' +
      'Basic Gold Silver Member Card Credit Gift Payment Test Version Issue Report Total Sum Count Average Null ' +
      'Json Sql Html January Februar avril Mayo Junio juli Agosto Septembre Oktober Novembre Dez'
    ).split(' '),
  )('the word %s in a sentence is no name', (word) => {
    expect(masked(`we like ${word} there`)).toBe(`we like ${word} there`);
  });

  it.each(
    (
      'List Print Find Look Get Set Check Run Restart Install Update Upgrade Copy Move Rename Ask Tell Call Write Read Sort ' +
      'Build Deploy Convert Compute Calculate Search Select Query Click Type Press Visit Go See Try Change Fix Configure ' +
      'Export Import Load Fetch Plot Replace Download Upload Choose Pick Contact Notify Email Note Verify Review Delete Start'
    ).split(' '),
  )('an order that begins with %s is no name', (verb) => {
    expect(masked(`${verb} Ada Marlow`)).toBe(`${verb} <name>`);
  });

  it.each('click press select choose tap open hit button labelled labeled called'.split(' '))(
    'what is pointed at by %s is no name',
    (pointer) => {
      expect(masked(`we ${pointer} Details here`)).toBe(`we ${pointer} Details here`);
    },
  );
});

describe('ids', () => {
  it.each(
    'ZX81QT HKEG34 HAT114 W2378156 NO6JO3 H9ZU1C order1234 mia123 ord_55120 mia_li_3668 INV-2024-001 a1b2c3d 3f2a9bc ES4E0X #12 #a1 99182 4521XYZ q-AB12CD ab12cd34ef'.split(
      ' ',
    ),
  )('%s is one', (word) => {
    expect(isId(word)).toBe(true);
  });

  it.each(
    (
      'word x1 file1 dir2 web-01 us-east-1 x86_64 i18n k8s md5sum log4j2 utf8mb4 Base64Encoder 24h 500ms 1080p 12AB 2024 1000 25000 2024-05 ' +
      '500-ms deadbeef # #1 a.b1234 ISO8859 rfc2822 md5000 aes256 rsa4096 ed25519 http404 https443 ipv600 es2023 ecma262 ' +
      'ieee802 cve-2021-44228 cwe-1234 base6400 crc3200 ext4000 mp3000 x509 h264 amd6400 arm6400 win3200 int6400 uint6400 ' +
      'float6400 char1000 varchar255 latin100 cp1252 ORA00942 TS2345 error500 errno111 line1234 step100 top100 port8080 ' +
      'status404 python3110 java1700 ubuntu2204 rtx3090 sqlstate42000 exit137 code404 utf1600 sha512'
    ).split(' '),
  )('%s is none', (word) => {
    expect(isId(word)).toBe(false);
  });

  it('have to be long in commands, and no date, size or number of a machine', () => {
    for (const word of ['credit_card_4421486', 'W2378156', '12345678901', 'a1b2c3d4e5f6', '3fa2'.repeat(16)])
      expect(isLongId(word)).toBe(true);
    for (const word of [
      'ZX81QT',
      'backup_20240501',
      '1073741824',
      '0xdeadbeef1234',
      '3f2a9bc',
      'node-1234',
      '1073741824c',
    ])
      expect(isLongId(word)).toBe(false);
    expect(isId('a1'.repeat(200))).toBe(false);
    expect(isLongId(`${'7'.repeat(300)}`)).toBe(false);
  });
});

describe('fields', () => {
  it.each<[string, string]>([
    ...'name first_name lastName middle_name full_name given_name family_name maiden_name legal_name user_name customer_name passengerName guest_name patient_name student_name employee_name client_name contact_name author_name owner_name sender_name recipient_name holder_name display_name nick_name account_name surname firstname lastname fullname username nickname login handle customer passenger recipient sender author owner assignee cardholder patient guest driver traveller traveler'
      .split(' ')
      .map((field): [string, string] => [field, 'name']),
    ...'email mail e-mail user_email'.split(' ').map((field): [string, string] => [field, 'email']),
    ...'phone mobile telephone tel fax phone_number'.split(' ').map((field): [string, string] => [field, 'phone']),
    ...'dob birth birthday birthdate birthdays date_of_birth'
      .split(' ')
      .map((field): [string, string] => [field, 'date']),
    ...'street address address1 addr zip postal_code postcode city town'
      .split(' ')
      .map((field): [string, string] => [field, 'address']),
    ...'ssn passport iban cvv pin id user_id orderId uuid guid'
      .split(' ')
      .map((field): [string, string] => [field, 'id']),
    ...'comment comments note notes message body subject reason feedback review remark instructions'
      .split(' ')
      .map((field): [string, string] => [field, 'text']),
  ])('%s holds a %s', (field, kind) => {
    expect(kindOfField(field)).toBe(kind);
  });

  it.each('table_name fileName hostname count plan status sort_by width'.split(' '))(
    '%s holds nothing of anybody',
    (field) => {
      expect(kindOfField(field)).toBeUndefined();
    },
  );
});

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

  it.each([
    [
      "psql -c \"SELECT * FROM u WHERE email = 'ada@example.org' AND name = 'Ada Marlow'\"",
      "psql -c \"SELECT * FROM u WHERE email = '<email>' AND name = '<name>'\"",
    ],
    [
      "SELECT 1 FROM o WHERE user_id = 'mia_li_3668' AND name = 'Ada' AND x = 'W2378156'",
      "SELECT 1 FROM o WHERE user_id = '<id>' AND name = '<name>' AND x = '<id>'",
    ],
    [
      "UPDATE p SET dob = '5/4/1990', address = '12 x', phone = '77 12 8'",
      "UPDATE p SET dob = '<date>', address = '<address>', phone = '<phone>'",
    ],
    [
      'docker rm a1b2c3d4e5f6 && curl https://api.example.org/v2/orders/998877?limit=20',
      'docker rm <id> && curl https://api.example.org/v2/orders/<id>?limit=20',
    ],
    ["df[df['x'] == 'Ada Marlow'] # call +44 20 7946 0018", "df[df['x'] == '<name>'] # call <phone>"],
    ['pay --card 4111111111111111 --to 12 Old Mill Lane', 'pay --card <id> --to <address>'],
    ['git show 3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f', 'git show <id>'],
  ])('%j becomes %j', (text, shape) => {
    expect(shapeOfAction(action('command', text), nothing)).toBe(shape);
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
    expect(shapeOfAction(script, (value) => value.startsWith('the twins'))).toBe(script.text);
  });

  it('shows what the task has', () => {
    expect(shapeOfAction(action('command', 'mail ada@example.org'), valuesOf('Write to Ada@Example.org'))).toBe(
      'mail ada@example.org',
    );
  });
});

describe('the shape of a call', () => {
  const call = (args: Arguments, verb = 'book'): Action => ({ kind: 'call', verb, args, text: '' });

  it.each<[Arguments, string]>([
    [
      { guest: 'ada', board: 'breakfast', nights: 3, paid: true, late: false, note: null, empty: '' },
      '{"guest": "…", "board": "…", "nights": …, "paid": true, "late": false, "note": null, "empty": ""}',
    ],
    [{ nights: [{ date: '2031-02-01' }, { date: '2031-02-02' }] }, '{"nights": [{"date": "…"}, …]}'],
    [{ nights: [{ date: '2031-02-01' }] }, '{"nights": [{"date": "…"}]}'],
    [
      { flags: [true, false], none: [], deep: { a: { b: 1 } } },
      '{"flags": [true, false], "none": [], "deep": {"a": {"b": …}}}',
    ],
    [{ 0: 'x', 1: 2, force: true }, '"…", …, {"force": true}'],
    [{ 0: 'x' }, '"…"'],
    [{ cards: { card_4421486: { n: 1 }, card_4421487: { n: 2 } } }, '{"cards": {"…": {"n": …}}}'],
    [{ 'ada@example.org': 1, 'free text here': 2, 'x.y': 3 }, '{"…": …, "x.y": …}'],
  ])('%j becomes %j', (args, shape) => {
    expect(shapeOfAction(call(args), nothing)).toBe(`book(${shape})`);
  });

  it('shows what the task has, and nothing else', () => {
    const task = valuesOf('Book a room with Breakfast for $120.50, towel and crib');
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
      'book({"many": [true, …]})',
    );
  });

  it('in bare words loses its values, and a strange name of a tool too', () => {
    expect(shapeOfAction(action('call', 'transfer $500 to mia_li_3668'), nothing)).toBe('transfer <amount> to <id>');
    expect(shapeOfAction(action('call', 'go to desk 1'), nothing)).toBe('go to desk 1');
    expect(shapeOfAction(call({}, 'tools.find'), nothing)).toBe('tools.find()');
    expect(shapeOfAction(call({}, 'call Ada now'), nothing)).toBe('…()');
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
    ['/orders?sort=asc&force=true&x=&flag', '/orders?sort=…&force=true&x=&flag'],
    ['https://x.example/users/ada%40example.org', 'https://x.example/users/…'],
    ['/u/3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f/ord_55120', '/u/…/…'],
    ['/u/%ZZ', '/u/…'],
    [`/u/${'x'.repeat(80)}`, '/u/…'],
  ])('%j becomes %j', (path, shape) => {
    expect(shapeOfAction(request(path), nothing)).toBe(`POST ${shape}`);
  });

  it('has a body with names and shows what the task has', () => {
    expect(
      shapeOfAction(request('/orders/99812?sort=asc', { sku: 'A1', n: 2 }), valuesOf('Put 2 into order 99812, asc')),
    ).toBe('POST /orders/99812?sort=asc {"sku": "…", "n": 2}');
    expect(shapeOfAction(request('/orders', {}), nothing)).toBe('POST /orders');
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

describe('the values of a task', () => {
  const task =
    'Refund “Ord_55120” of Ada Marlow: $1,249.90 or 12,50 € for two seats on May 20th, 2031 (mia_li_3668, v1.12, JFK-SEA).';

  it.each([
    'ord_55120',
    'Ada Marlow',
    'MARLOW',
    '"marlow"',
    "'Ada'",
    '1249.9',
    '1,249.90',
    '12.5',
    '$12.50',
    '2',
    '2031-05-20',
    '20.05.2031',
    'mia_li_3668',
    'JFK-SEA',
    '',
    '20 May 2031',
  ])('are found: %j', (value) => {
    expect(valuesOf(task)(value)).toBe(true);
  });

  it.each([
    'Ord',
    '55120',
    'mia',
    'li',
    '3668',
    'Ada Mar',
    '1249',
    '12',
    '3',
    '2031-05-21',
    'Ben',
    '249.90',
    'a',
    'JFK',
    '2030-05-20T10:00',
  ])('are no parts of them, and nothing else: %j', (value) => {
    expect(valuesOf(task)(value)).toBe(false);
  });

  it.each([
    ['due on 2031-05-20', 'May 20, 2031'],
    ['due on 20.05.2031', '2031-05-20'],
    ['due on 05/20/2031', '2031-05-20'],
    ['due on 20/05/2031', '2031-05-20'],
    ['fällig am 20. Mai 2031', '2031-05-20'],
    ['el 20 de mayo de 2031', '2031-05-20'],
    ['1.200.000 Stück', '1200000'],
    ['1,200 pieces', '1200'],
    ['minus -3 °C', '-3'],
    ['twelve eggs', '12'],
    ['it’s "a b" here', 'a  b'],
    ['ＡＢＣ１２', 'abc12'],
  ])('%j has %j', (text, value) => {
    expect(valuesOf(text)(value)).toBe(true);
  });

  it.each([
    ['due on May 20', '2031-05-20'],
    ['due in 2031', '2031-05-20'],
    ['3 eggs', '-3'],
    ['due on 2031-13-20', '2031-12-20'],
    ['1.200 m', '1200'],
  ])('%j does not have %j', (text, value) => {
    expect(valuesOf(text)(value)).toBe(false);
  });
});

describe('any text at all', () => {
  const parts = [
    'a',
    '1',
    '1 ',
    '1-',
    'A1',
    'Ada Marlow ',
    '@',
    'a@',
    'a.',
    '"',
    "name: '",
    '/',
    'http://a/',
    'order ',
    '\n',
    '+1 (',
    'Élan ',
    '`',
    'May ',
    '.,',
    '\\"',
  ];

  it.each(parts)('is read soon, and what is not read is not told: %j', (part) => {
    const started = performance.now();
    const text = part.repeat(Math.ceil(2_000_000 / part.length));

    expect(maskText(text, nothing).length).toBeLessThan(60_000);
    expect(maskCode(text, nothing).length).toBeLessThan(60_000);
    identifyingValues(text);
    valuesOf(text)(text);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it('is masked to its end', () => {
    expect(masked('ord_55120 '.repeat(1_500))).toBe('<id> '.repeat(1_500));
  });

  it('ends with a mark where it was cut', () => {
    expect(masked('x '.repeat(20_000)).endsWith('…')).toBe(true);
  });
});
