import { kindOfField } from './fields.js';
import { isId, isLongId } from './ids.js';
import { occursIn } from './task-values.js';
import { identifyingValues, maskCode, maskText } from './values.js';

const nothing = () => false;
const masked = (text: string) => maskText(text, nothing);
/** A text in which `‹kind value›` marks what has to become `<kind>`. */
const mark = /‹(\w+) ([^›]+)›/g;
const unmarked = (marked: string) => marked.replace(mark, '$2');
const generalOf = (marked: string) => marked.replace(mark, '<$1>');

describe('what identifies somebody or a case in words', () => {
  it.each([
    'Mail ‹email ada.marlow@example.org› or call ‹phone 555-201-9988›.',
    'Ring ‹phone (555) 201-9988›, ‹phone +44 20 7946 0018› or ‹phone 0151/23456789›.',
    'order ‹id ord_55120›, ticket ‹id INV-2024-001›, code ‹id ZX81QT›',
    'order #‹id 4711›, invoice no. ‹id 815›, account: ‹id 9921›, case number ‹id 77A›',
    'card ending in ‹id 7447›, booking is ‹id HXDUBJ›, reservation, ‹id QWERTZ›',
    'reservation with the ID ‹id IFOYYZ›, **Booking ID**: ‹id HATHAT›',
    'I have ‹id AB12C3›, ‹id QWERTZ› and HELLO',
    'last four ‹id 7447›, paid by ‹name Visa› ending with ‹id 1290›',
    '- **‹name Ada Marlow›** has paid',
    'Bestellung ‹id 9912›, Rechnung Nr. ‹id 881›, Kunde ‹id 7712›, Buchung ‹id 6611›',
    'commande ‹id 9912›, facture ‹id 8812›, pedido ‹id 7712›, factura ‹id 6612›',
    'ticket ‹id 9912›, customer ‹id 8812›, passport ‹id 7712›, member ‹id 6612›, membership ‹id 6613›',
    'policy ‹id 9912›, flight ‹id 8812›, confirmation ‹id 7712›, tracking ‹id 6612›, reference ‹id 5512›',
    'user name is ‹id ada.m1›, username: ‹id x77›, user id ‹id 123›, login = ‹id ab12›',
    'It is ‹id #W2378156› or ‹id 99182736› or ‹id a1b2c3d4› or ‹id dQw4w9WgXcQ1›',
    'key=‹id 99182› for order:‹id 10223›',
    'born ‹date 1990-04-05›, due ‹date May 20th›, ‹date 3. März 2026›, ‹date 12/24/2031›',
    'on ‹date 24.12.2026›, ‹date 20 de mayo de 2026› and ‹date 1er juillet›',
    'paid "‹amount $49.90›", ‹amount 12,50 €›, ‹amount EUR 20› and ‹amount 30 dollars›',
    'lives at ‹address 12 Old Mill Lane›, ‹address Apt. 7B›, ‹address Elmwood, TX 00501›',
    'wohnt in der ‹address Lindenstraße 12a›',
    'vive en ‹address Calle Mayor 5› o ‹address 7 rue de la Gare›',
    '‹address 52.52031, 13.40495› is here',
    'pay from ‹id DE89 3704 0044 0532 0130 00› with ‹id 4111 1111 1111 1111›',
    'thanks to ‹name @ada_marlow›',
    '‹name 田中›さんの注文',
    'see ‹id 3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f›',
    'see https://shop.example/orders/‹id 99812›/items?id=‹id abc_9912›&sort=asc#top',
    'see https://shop.example/u/‹id ada%40example.org›/x',
    'She said "‹text I need it by tomorrow›" and went',
    'with the comment: “‹text leave it at the door›”',
    '{"first_name": "‹name Ada›", "last_name": "‹name marlow›", "plan": "gold"}',
    '{"city": "‹address Bath›", "zip": "‹address x1›", "note": "‹text at the door›", "count": 3}',
    "{'email': '‹email ada@bath›', 'phone': '‹phone 77 1›', 'dob': '‹date 5/4/90›', 'id': '‹id a1›'}",
    'name: ‹name Ada Marlow›, table_name: visits, id: ‹id 77›',
    'customer = ‹name Ada›; city: ‹address Bath›',
    `{"passenger": "‹name O'Hara \\" x›", "id": "none", "note": "late"}`,
    'at ‹address 12 Old Mill St›, ‹address 12a Elm Road› or ‹address Lindenweg 12›',
    'at ‹address 7 rue de l’Or›, ‹address rue Linden 7›, ‹address 7, Avenida de la Paz› or ‹address Plaza Mayor 3›',
    'at ‹address Suite #12›, ‹address TX 00501-1234›, ‹address SW1A 1AA› or ‹address -12.4567;130.8411›',
    'for ‹amount 5 USD›, ‹amount 5 euros›, ‹amount £5›, ‹amount 1.200,50 CHF› or ‹amount JPY 5000›',
    'due ‹date Sept 5, 2026›, ‹date 5 février›, ‹date 5. Dez 2026› or ‹date 5 de enero de 2026›',
    'due ‹date March 3rd›, ‹date 05-12-2026› or ‹date 2026-03-05 14:30›',
    'due ‹date 12/24/31›, ‹date 5 June 2026›, ‹date 5 août›, ‹date 5. Oktober 2026›, ‹date November 22nd› or ‹date 1st of May›',
    'ship to ‹address 1 Elm Street›, ‹address 2 Oak Avenue›, ‹address 3 Fir Ave›, ‹address 4 Ash Rd›, ‹address 5 Yew Drive›',
    'or to ‹address 6 Bay Dr›, ‹address 7 Fig Ln›, ‹address 8 Sun Boulevard›, ‹address 9 Sea Blvd›, ‹address 10 Inn Court›',
    'or to ‹address 11 Fox Ct›, ‹address 12 Hill Way›, ‹address 13 Park Place› or ‹address 14 Dove Square›',
    'or to ‹address 15 Juniper Terrace›, ‹address 16 Bay Highway› or ‹address 17 Mill Close›',
    'in ‹address Ahornstrasse 1›, ‹address Ahornstr. 2›, ‹address Marktplatz 3›, ‹address Lindenallee 4›, ‹address Webergasse 5›',
    'at ‹address 4 avenue Foch›, ‹address 5 boulevard Ney›, ‹address Via Roma 6› or ‹address Piazza Navona 7›',
    'card ‹id 7447›, order "‹id 815›", invoice (‹id 816›), account \'‹id 817›\', confirmation code ‹id HXDUBJ›',
    'rechnung nummer ‹id 815›, commande numéro ‹id 816›',
    '‹name 佐藤›様 ‹name 王›女士 ‹name 李›先生 ‹name 김민수›님 ‹name 박지영›씨',
    'from ‹id FR76 3000 6000 0112 3456 7890 189› by ‹phone +33 1 23 45 67 89›',
  ])('%s', (marked) => {
    expect(masked(unmarked(marked))).toBe(generalOf(marked));
  });

  it('is listed once', () => {
    const text = 'ada@example.org wrote to Ada Marlow and ada@example.org on 2026-03-05';
    expect(identifyingValues(text)).toEqual(['ada@example.org', 'Ada Marlow', '2026-03-05']);
  });

  it('is shown where it may be', () => {
    expect(maskText('Ada Marlow paid $49.90 for ord_55120', occursIn('Refund ORD_55120, 49.9 dollars'))).toBe(
      '<name> paid $49.90 for ord_55120',
    );
  });

  it('stays a placeholder where it is one', () => {
    const text = '{"user_id": "<id1>", "name": "{name}"} {"user_id": "$USER1_ID", "name": "[name]"} {"name": "…x…"}';
    expect(masked(text)).toBe(text);
  });
});

describe('names of people', () => {
  it.each([
    'Hello, my name is ‹name Ada Marlow› and I lost a card.',
    "my name's ‹name ada marlow› and",
    'Mein Name ist ‹name Jonas›, ich heiße ‹name Ahorn›, ich heisse ‹name Ulm›.',
    'Je m’appelle ‹name Odile›. Me llamo ‹name José›. Mi nombre es ‹name Eva›. Mi chiamo ‹name Ugo›.',
    'Write to Mr. ‹name Birch›, Mrs ‹name Elm›, Ms. ‹name Fir›, Miss ‹name Oak›, Dr. ‹name Yew› and Prof. ‹name Ash› now',
    'bei Frau ‹name Müller› und Herrn ‹name Ahorn›, Herr ‹name Ulm› ist nicht da',
    'voir Mme ‹name Roux›, Monsieur ‹name Bel›, Madame ‹name Sol›, Señora ‹name Paz›, Señor ‹name Gil›, Signor ‹name Neri›, Signora ‹name Blu›',
    'Hi ‹name Ada›, it is late. Hello ‹name Ben›. Hey ‹name Eve›. Dear ‹name Ivo›. Thanks ‹name Ugo›. Thank you, ‹name Mia›.',
    'Liebe ‹name Ada›. Lieber ‹name Ben›. Hallo ‹name Eve›. Bonjour ‹name Guy›. Cher ‹name Luc›. Chère ‹name Zoé›. Hola ‹name Ana›. Estimada ‹name Eva›. Ciao ‹name Ugo›.',
    'It is on its way, ‹name Ada›. Really, ‹name Ben›!',
    'Best regards, ‹name Ada›',
    'Sincerely, ‹name Ada›; cheers, ‹name Ben›; Viele Grüße ‹name Eve›; Gruß ‹name Ivo›; Cordialement, ‹name Luc›; Saludos, ‹name Ana›',
    'ask ‹name Ada Marlow›, then ‹name Jean-Luc de la Tour›, ‹name O’Hara McCoy› and ‹name Łukasz Żuraw›',
    '‹name Ada Marlow› called. Ask ‹name Ada› again.',
    'Remove ‹name Ethan Elm›. Find ‹name Ada Marlow›. It is ‹name Ada›’s.',
    'a trip from ‹name New York› to ‹name Seattle› for ‹name Ivan›',
    'Bitte die Rechnung für ‹name Ada Marlow› und das Konto von ‹name Ben Ulm› prüfen',
    'Der Kunde ‹name Ada› ist nicht da und wartet',
    'Espere en la puerta con ‹name Ana› por favor',
    'Contact ‹name Ada Marlow›',
    'Tell ‹name Ada Marlow›. Call ‹name Ben Ulm›. Visit ‹name New York›. Email ‹name Eva Esche›. Cancel ‹name Ivo Fir›.',
    'hello, my name is ‹name ada› and I lost it',
    'Sure, ‹name Ben›! Done',
    'Done, ‹name Ada›.',
    'see ‹name Fiona MacLeod›, ‹name Rita DeVito›, ‹name Ugo DiCaprio›, ‹name Ada LaRue›, ‹name Max LeBlanc› or ‹name Pia D’Angelo›',
    'see ‹name Ludo van der Velde›, ‹name Anna von Ahorn›, ‹name Rui da Costa›, ‹name Elio di Monte›, ‹name Luz del Valle›',
    'see ‹name Omar bin Said› or ‹name Nur al Amin›',
    'Die Post ist an ‹name Ada Marlow›, liegt bei ‹name Ben Ulm› und ‹name Eva Esche› und geht mit ‹name Ivo Fichte›',
    'Espere en casa con ‹name Ana›',
    'Deje el libro para ‹name Ana›',
    'Abra la puerta de ‹name Ana›',
    'Rendez le livre de ‹name Luc›',
    'Voici les prix et ‹name Luc›',
    'Venez dans un mois pour ‹name Luc›',
  ])('%s', (marked) => {
    expect(masked(unmarked(marked))).toBe(generalOf(marked));
  });
});

describe('what identifies nobody', () => {
  it.each([
    'Die Besprechung wurde verlegt.',
    'La Facture manque.',
    '오늘 날씨 알려 줘',
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
    'On Monday we like Python, Redis and Excel; see the Payment, the Settings and the Total of a Customer in April.',
    'Wer ist nicht da und wartet am Ufer Strand',
    'we press Details here and open Reports on the page',
    'my policy QWERTZ is late',
    'Book it for Tuesday or Wednesday, not for Thursday, Friday, Saturday or Sunday.',
    'We run Linux, Ubuntu and Windows in Docker on Azure from Microsoft; the code is on Github, in Python, Java, Node and React with Git.',
    'The shop has Django, Flask, Mysql, Postgres, Redis and Kafka behind Nginx and Apache.',
    'We let Terraform and Jenkins post to Slack and Jira, or look at it in Chrome, Firefox and on Android.',
    'Translate it from English into German, French, Spanish, Italian, Chinese and Japanese.',
    'It says Runtime Error, Pointer Exception, Deprecation Warning or Connection Timeout and then Permission denied.',
    'We have a Mail Server, a Billing Service, a Unit Test, a Weekly Report, a Silver Member and a Gift Card.',
    'Go to the Details page, the Price column, the Notes field, the Drafts folder, the Tools menu and the Continue button.',
    'Put it in the Prices file, the Sales database and the Guests table of the Checking Account, for the New Order.',
    'Then ask the Live Support of the Main Customer in First Class.',
    'we click Details, tap Continue, select Overview and choose Monthly on the page',
    'Compute Fibonacci numbers. Sort Pokemon by size. Plot Bitcoin prices. Convert Celsius to kelvin. Try Prolog.',
    'Load Titanic data. Download Blender. Replace Lorem by ipsum. Fix Typos. Print Fibonacci. Deploy Grafana. Purge Varnish.',
    'Öffne die Datei Bericht und warte',
    'wo ist der Ordner Ablage',
    'das Blatt Umsatz passt nicht',
    'We march 5 miles.',
    'Wait until the 3 files and 20 people may 5 times meet, in Mai, en mayo.',
  ])('%j stays', (text) => {
    expect(masked(text)).toBe(text);
  });
});

describe('what belongs to somebody in a command, a query or code', () => {
  it.each([
    `psql -c "SELECT * FROM u WHERE email = '‹email ada@example.org›' AND name = '‹name Ada Marlow›'"`,
    "SELECT 1 FROM o WHERE user_id = '‹id mia_li_3668›' AND name = '‹name Ada›' AND x = '‹id W2378156›'",
    "UPDATE p SET dob = '‹date 5/4/1990›', address = '‹address 12 x›', phone = '‹phone 77 12 8›'",
    'docker rm ‹id a1b2c3d4e5f6› && curl https://api.example.org/v2/orders/‹id 998877›?limit=20',
    "df[df['x'] == '‹name Ada Marlow›'] # call ‹phone +44 20 7946 0018›",
    'pay --card ‹id 4111111111111111› --to ‹address 12 Old Mill Lane›',
    'git show ‹id 3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f›',
    "SELECT 1 FROM u WHERE phone LIKE '‹phone 77 12 8›' OR address ILIKE '‹address 12 x›'",
    "name => '‹name Ada›', const name = `‹name Ben›`",
    'pay --to ‹id FR2030006000011234567890189›',
    'cat /cards/‹id 4539148803436467›/log users/‹id 3f2b8c1e-9d4a-4c7b-8e21-0a1b2c3d4e5f›.json',
  ])('%s', (marked) => {
    expect(maskCode(unmarked(marked), nothing)).toBe(generalOf(marked));
  });

  it.each(['ls /backups/20260305143000/all', 'ls /backups/19991231235959/all'])('is no time: %s', (command) => {
    expect(maskCode(command, nothing)).toBe(command);
  });
});

describe('ids', () => {
  const ids =
    'ZX81QT HAT114 W2378156 H9ZU1C order1234 mia123 ord_55120 mia_li_3668 INV-2024-001 a1b2c3d ES4E0X #12 #a1 99182 4521XYZ q-AB12CD sub_11k cus_Jq81x2 ev_93ks';

  it.each(ids.split(' '))('%s is one', (word) => {
    expect(isId(word)).toBe(true);
  });

  it.each(
    (
      'word x1 file1 web-01 us-east-1 x86_64 i18n k8s md5sum log4j2 utf8mb4 Base64Encoder 24h 500ms 1080p 12AB 2024 25000 2024-05 ' +
      '500-ms deadbeef # #1 a.b1234 ISO8859 rfc2822 cve-2021-44228 varchar255 ORA00942 TS2345 error500 port8080 ubuntu2204 ' +
      'rsa4096 ed25519 es2022 x509 cp1252 python311 card_last4 has_2fa api_v2'
    ).split(' '),
  )('%s is none', (word) => {
    expect(isId(word)).toBe(false);
  });

  it('have to be long in commands, and no date, size or number of a machine', () => {
    for (const word of ['credit_card_4421486', 'W2378156', '12345678901', 'a1b2c3d4e5f6', '3fa2'.repeat(16)])
      expect(isLongId(word)).toBe(true);
    for (const word of 'ZX81QT backup_20240501 backup_19991231 1073741824 0xdeadbeef1234 3f2a9bc node-1234 1073741824c'.split(
      ' ',
    ))
      expect(isLongId(word)).toBe(false);
    expect(isId('a1'.repeat(200))).toBe(false);
    expect(isLongId(`${'7'.repeat(300)}`)).toBe(false);
  });
});

describe('fields', () => {
  it.each<[string, string]>([
    ['name', 'name first_name lastName passengerName nick_name login cardholder'],
    ['name', 'middle_name full_name givenName family_name userName client_name contactName account_name'],
    ['name', 'employee_name studentName OWNER_NAME'],
    ['email', 'email e-mail user_email'],
    ['phone', 'mobile phone_number'],
    ['date', 'dob date_of_birth'],
    ['address', 'street address1 postal_code city'],
    ['id', 'ssn passport id user_id orderId userID SSN'],
    ['text', 'comment notes message instructions'],
  ])('that hold a %s: %s', (kind, fields) => {
    for (const field of fields.split(' ')) expect(kindOfField(field)).toBe(kind);
  });

  it('of files, tables and settings hold nothing of anybody', () => {
    for (const field of 'table_name fileName hostname count plan status sort_by'.split(' '))
      expect(kindOfField(field)).toBeUndefined();
  });
});

describe('any text at all', () => {
  const parts = [
    ...['a', '1', '1 ', '1-', 'A1', 'Ada Marlow ', '@', 'a@', 'a.', '"', "name: '", '/', 'http://a/', 'order ', '\n'],
    ...['+1 (', 'Élan ', '`', 'May ', '.,', '\\"', '1.', 'A ', '€1', '@a_'],
    ...'!#$%&()*+,-;:<=>?[]^_{|}~'.split(''),
  ];

  it.each(parts)('is read soon, and what is not read is not told: %j', (part) => {
    const started = performance.now();
    const text = part.repeat(Math.ceil(500_000 / part.length));

    expect(maskText(text, nothing).length).toBeLessThan(60_000);
    expect(maskCode(text, nothing).length).toBeLessThan(60_000);
    occursIn(text)(text);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('has values up to where it was cut', () => {
    const read = new Set(identifyingValues(Array.from({ length: 10_000 }, (_, at) => `ord_${50_000 + at}`).join(' ')));

    expect([read.has('ord_51999'), read.has('ord_52100')]).toEqual([true, false]);
  });

  it('is masked to its end', () => {
    expect(masked('ord_55120 '.repeat(1_500))).toBe('<id> '.repeat(1_500));
  });

  it('ends with a mark where it was cut', () => {
    expect(masked('x '.repeat(20_000)).endsWith('…')).toBe(true);
  });
});
