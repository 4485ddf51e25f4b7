/*
 * Texts with made-up secrets between « and ». Values that a scanner could take for real ones are put together when the tests run.
 */
let seed = 7;

function lettersOf(alphabet: string): (length: number) => string {
  return (length) => Array.from({ length }, () => alphabet[nextBelow(alphabet.length)]).join('');
}

function nextBelow(limit: number): number {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return Math.floor((seed / 0x7fffffff) * limit) % limit;
}

const B = lettersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const H = lettersOf('0123456789abcdef');
const U = lettersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const L = lettersOf('abcdefghijklmnopqrstuvwxyz0123456789');
const D = lettersOf('0123456789');
const uuid = () => `${H(8)}-${H(4)}-4${H(3)}-a${H(3)}-${H(12)}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const s = (secret: string) => `«${secret}»`;

export const textsWithSecrets: readonly string[] = [
  // env / shell assignments
  `DB_PASS=${s('kestrel77')}`,
  `export SMTP_PASS=${s('Winter!2024')}`,
  `setenv LDAP_PW ${s('q8w7e6')}`,
  `env MYSQL_PWD=${s('rotunda')} mysqldump shop`,
  `ANSIBLE_SSH_PASS='${s('my pass 9')}'`,
  `declare -x JENKINS_TOKEN="${s(H(34))}"`,
  `dbPass = "${s('lamp-post')}"`,
  `STRIPE_KEY_LIVE=${s('k' + B(28))}`,
  `SECRET_KEY_BASE=${s(H(64))}`,
  `PASSWORD_NEW=${s('Flamingo7')}`,
  `rootpw ${s('Kick5tart!')}`,
  `requirepass ${s('f00bared99')}`,
  `bindpw ${s('ld4pB1nd')}`,
  `COOKIE_SECRET=${s('keyboard cat 77')}`.replace('=«', '="«') + '"',
  `JWT_SIGNING_KEY=${s(B(40))}`,
  // commands
  `mysqldump -h db -uroot -p'${s('two words')}' --all-databases`,
  `sudo mysqladmin -u root -p${s('secretroot')} shutdown`,
  `sshpass -p ${s('turnip')} ssh bob@10.0.0.4`,
  `redis-cli --pass ${s('x9-y8')} INFO`,
  `mongodump -u bk -p${s('dumpster1')}`,
  `ldapsearch -x -D "cn=admin,dc=x" -w ${s('ldapadmin')} -b dc=x`,
  `curl -u bob:${s('swordfish')} https://api.example.com`,
  `curl --proxy-user pu:${s('pp99')} https://x.example`,
  `curl -x http://pu:${s('Prx77')}@proxy:3128 https://x`,
  `curl -d "user=bob&password=${s('marble')}" https://x/login`,
  `curl -H "X-Auth-Token: ${s(H(32))}" https://x`,
  `curl -b "sessionid=${s(L(32))}" https://x/`,
  `curl --oauth2-bearer ${s(B(30))} https://x`,
  `wget --http-password ${s('tang3rine')} https://x/f.zip`,
  `openssl enc -aes-256-cbc -pass pass:${s('moonlight')} -in a`,
  `htpasswd -cb /etc/nginx/.htpasswd bob ${s('orangutan')}`,
  `docker login -u bob -p ${s('dockerpw')} registry.example.com`,
  `az login --service-principal -u ${uuid()} -p ${s(B(34))} --tenant t`,
  `xfreerdp /u:bob /p:${s('rdp-pass')} /v:host`,
  `lftp -u bob,${s('lftp99')} sftp://h`,
  `zip -P ${s('zipme')} out.zip a b`,
  `ipmitool -H bmc -U admin -P ${s('calvin1')} power status`,
  `echo "bob:${s('n3wpass')}" | chpasswd`,
  `kubectl create secret generic db --from-literal=pw=${s('k8s-lit')}`,
  `vault login ${s('hvs.' + B(24))}`,
  `gh secret set DEPLOY --body "${s('deploy-body-9')}"`,
  `rabbitmqctl add_user app ${s('bunny')}`,
  `psql "host=db user=app password=${s('elephant')} dbname=x"`,
  `ssh host "redis-cli -a ${s('remote-pw')} flushall"`,
  `{"cmd": "mysql -h db -u root -p${s('jsoncmd')} shop"}`,
  `$ sshpass -p "${s('prompted one')}" ssh x`,
  `svn co --username bob --password ${s('subversive')} https://svn`,
  `nmcli dev wifi connect HomeNet password ${s('w1f1-home')}`,
  `git clone https://oauth2:${s(B(20))}@gitlab.example.com/r.git`,
  `ConvertTo-SecureString "${s('PlainSec1')}" -AsPlainText -Force`,
  `$sec = ConvertTo-SecureString -AsPlainText -Force -String "${s('Other9Pass')}"`,
  `net use \\\\fs01\\share /user:ACME\\bob ${s('Sh4re-Pw2')}`,
  `sudo -S apt update <<< "${s('sud0pw!')}"`,
  `poetry config http-basic.acme bob ${s('p0etry-pw')}`,
  `cargo login ${s('cio' + B(32))}`,
  `ssh-keygen -t rsa -N "${s('key-phrase1')}" -f id`,
  `aws ssm put-parameter --name /prod/db/password --type SecureString --value "${s('ssmP4ss')}"`,
  // SQL and code
  `CREATE USER reporting IDENTIFIED BY ${s('tigerlily')};`,
  `ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '${s('N3wRoot!')}';`,
  `ALTER ROLE app WITH LOGIN PASSWORD '${s('bluebarn')}';`,
  `req.SetBasicAuth("bob", "${s('g0basic')}")`,
  `pymysql.connect('db', 'root', '${s('pymy5ql')}', 'shop')`,
  `DriverManager.getConnection(url, "sa", "${s('jdbcPw2')}")`,
  `new PDO($dsn, 'root', '${s('pdoPw-55')}')`,
  `sql.Open("mysql", "app:${s('g0mysql')}@tcp(127.0.0.1:3306)/shop")`,
  // config formats
  `password: ${s('swordfish')}`,
  `  db_pass: ${s('longbow')}\n  port: 5432`,
  `password: |\n    ${s('block-scalar-9')}\nnext: 1`,
  `{"dbPass": "${s('jsonpw')}"}`,
  `{\\"pass\\": \\"${s('esc4ped')}\\"}`,
  `[db]\nuser = app\npass = ${s('ini-p4ss')}`,
  `api_token = "${s(B(24))}"`,
  `<password>${s('xmlpw')}</password>`,
  `<add key="ApiKey" value="${s(B(20))}"/>`,
  `<property name="connection.password" value="${s('hibernate')}"/>`,
  `<input type="password" name="p" value="${s('formpw1')}">`,
  `'password' => '${s('laravel')}',`,
  `const token: string = "${s(B(24))}";`,
  `server.login("bob@example.com", "${s('mail-pw')}")`,
  `apiVersion: v1\ndata:\n  tls.crt: ${s(base64('certificate text here'))}\nkind: Secret\n`,
  `machine api.example.com login bob password ${s('netrcpw')}`,
  `root:${s('$6$' + B(8) + '$' + B(86))}:19000:0:99999:7:::`,
  `bob:${s('$2y$10$' + B(53))}`,
  `Content-Disposition: form-data; name="password"\r\n\r\n${s('multipart')}\r\n--x`,
  `PresharedKey = ${s(B(43) + '=')}`,
  `//registry.example.com/:_password=${s(base64('pass1234'))}`,
  `| password | ${s('tbl-pw9')} |`,
  `variable "db_password" { default = "${s('hclpw-12')}" }`,
  // headers
  `Authorization: Token ${s(H(40))}`,
  `Authorization: ${s(H(32))}`,
  `Authorization: Digest username="bob", realm="x", nonce="${H(16)}", uri="/", response="${s(H(32))}"`,
  `Proxy-Authorization: Basic ${s(base64('bob:hunter2'))}`,
  `{"Authorization": "Bearer ${s(B(32))}"}`,
  `{"cookie": "sid=${s(H(20))}"}`,
  `PRIVATE-TOKEN: ${s(B(20))}`,
  `X-Shopify-Access-Token: ${s(H(32))}`,
  `.header("Authorization", "Bearer ${s(B(24))}")`,
  `AUTH PLAIN ${s(base64('\0bob\0hunter2'))}`,
  // connection strings
  `postgresql://app:${s('p@ss/w0rd')}@db:5432/x`,
  `mongodb+srv://u:${s('mongo99')}@c0.example.net/x`,
  `amqp://guest:${s('guestpw')}@mq:5672/`,
  `redis://:${s('redispw')}@cache:6379/0`,
  `jdbc:mysql://db/x?user=app&password=${s('jdbcpw')}`,
  `jdbc:sqlserver://h:1433;databaseName=x;user=sa;password=${s('mssql!')};`,
  `smtp://bob%40x.com:${s('smtppw')}@mail:587`,
  `proxy: bob:${s('pr0xy-pw')}@proxy.example.com:8080`,
  // URLs with signatures, webhooks
  `https://st.blob.core.windows.net/c/f?sv=2022&se=2024-01-01&sr=b&sp=r&sig=${s(B(40) + '%3D')}`,
  `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=300&X-Amz-Signature=${s(H(64))}`,
  `https://storage.googleapis.com/b/o?X-Goog-Signature=${s(H(128))}`,
  `https://cdn.example.com/v.m3u8?Policy=${B(20)}&Signature=${s(B(60))}&Key-Pair-Id=K1`,
  `https://hooks.slack.com/services/T0${U(8)}/B0${U(8)}/${s(B(24))}`,
  `https://discord.com/api/webhooks/${D(18)}/${s(B(68))}`,
  `https://acme.webhook.office.com/webhookb2/${s(uuid() + '@' + uuid())}/IncomingWebhook/${s(H(32))}/${s(uuid())}`,
  `https://hooks.zapier.com/hooks/catch/${D(7)}/${s('b3xq7ka')}`,
  `https://api.telegram.org/bot${D(10)}:${s('AA' + B(33))}/sendMessage`,
  `https://f.azurewebsites.net/api/x?code=${s(B(54) + '==')}`,
  `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${s(uuid())}`,
  `wss://rt.example.com/?access_token=${s(B(24))}`,
  // tokens by shape
  `aws: ${s('AK' + 'IA' + U(16))} was used`,
  `token ${s('glp' + 'at-' + B(20))}`,
  `slack ${s('xo' + 'xp-' + D(12) + '-' + D(12) + '-' + H(32))}`,
  `stripe ${s('sk_' + 'live_' + B(24))}`,
  `it is ${s('sk-' + 'ant-api03-' + B(90))}`,
  `twilio ${s('SK' + H(32))}`,
  `sendgrid ${s('SG' + '.' + B(22) + '.' + B(43))}`,
  `bot ${D(10)}:${s('AA' + B(33))}`,
  `discord ${s('MT' + B(22) + '.' + B(6) + '.' + B(38))}`,
  `linear ${s('lin' + '_api_' + B(40))}`,
  `docker ${s('dckr' + '_pat_' + B(27))}`,
  `databricks ${s('da' + 'pi' + H(32))}`,
  `figma ${s('fig' + 'd_' + B(40))}`,
  `doppler ${s('dp' + '.pt.' + B(43))}`,
  `mailgun ${s('key' + '-' + H(32))}`,
  `newrelic ${s('NR' + 'AK-' + U(27))}`,
  `pul ${s('pul' + '-' + H(40))}`,
  `hubspot ${s('pat-' + 'na1-' + uuid())}`,
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${s(B(64))}\n-----END PGP PRIVATE KEY BLOCK-----`
    .replace('«', '')
    .replace('»', '')
    .replace(/^/, '«')
    .replace(/$/, '»'),
  `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${s(B(44) + '==')}\nPrivate-MAC: ${H(40)}`,
  `${s('eyJ' + B(20) + '.eyJ' + B(40) + '.' + B(43))}`,
  // prose
  `the root password was ${s('Tr0ub4dor&3')}`,
  `My API key is ${s(B(24))}, keep it safe`,
  `Password for bob is ${s('gr8-day')}, he says.`,
  `Kennwort: ${s('Sommer23')}`,
  `le mot de passe est ${s('soleil42')}`,
  `la contraseña es ${s('gato2020')}`,
  `a senha é ${s('praia77')}`,
  `пароль: ${s('zimaleto')}`,
  `Usuario: admin, clave: ${s('cl4ve-11')}`,
  `パスワードは${s('neko1234')}です`,
  `username: bob, password: ${s('p4ssw0rd!')}`,
  `Login: bob / Pass: ${s('b0b-pass')}`,
  `user bob, pw ${s('q1w2e3r4')}`,
  `Your new secret token: ${s(B(32))}`,
  `credentials: bob:${s('b0bpw')}`,
];
