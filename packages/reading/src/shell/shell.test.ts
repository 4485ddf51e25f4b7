import { looksLikeShell, readShell, type ShellCommand } from './shell.js';

function only(text: string): ShellCommand {
  const commands = readShell(text) ?? [];
  expect(commands).toHaveLength(1);
  return commands[0] as ShellCommand;
}

/** `program[options](operands)` of every command, those inside of others in angle brackets. */
function outline(text: string): string | undefined {
  return readShell(text)
    ?.map(({ program, options, operands, inner, unreadable }) => {
      const told = unreadable ? '?' : `${program}[${options.join(' ')}](${operands.join(', ')})`;
      return inner ? `<${told}>` : told;
    })
    .join(' ');
}

describe('the words of a command', () => {
  it('are its program by its base name, its options and its operands', () => {
    expect(only('/bin/rm -rf "x y" z')).toMatchObject({ program: 'rm', options: ['-f', '-r'], operands: ['x y', 'z'] });
    expect(only('\\rm x').program).toBe('rm');
    expect(only('r""m x').program).toBe('rm');
    expect(only('./').program).toBe('./');
  });

  it('have options split, sorted and each once', () => {
    expect(only('ls -la -a --color=auto').options).toEqual(['--color', '-a', '-l']);
    expect(only('wget -qO- x').options).toEqual(['-O', '-q']);
    expect(only('x -abcdef y').options).toEqual(['-abcdef']);
    expect(only('x -abcde y').options).toEqual(['-a', '-b', '-c', '-d', '-e']);
    expect(only('x -n5 y')).toMatchObject({ options: ['-n'], operands: ['y'] });
    expect(only('x - -5 -1.5')).toMatchObject({ options: [], operands: ['-', '-5', '-1.5'] });
    expect(only('rm -f -- -r x')).toMatchObject({ options: ['-f'], operands: ['-r', 'x'] });
  });

  it('keep the options of find and its like whole and in order', () => {
    expect(only('find . -type f -name x -delete')).toMatchObject({
      options: ['-type', '-name', '-delete'],
      operands: ['.', 'f', 'x'],
    });
    expect(only('terraform destroy -auto-approve -var=a=b').options).toEqual(['-auto-approve', '-var']);
    expect(only('java -jar x.jar').options).toEqual(['-jar']);
  });

  it.each([
    ['git -C x push', 'push'],
    ['kubectl -n web get', 'get'],
    ['kubectl --context=a get', 'get'],
    ['docker -H x ps', 'ps'],
    ['aws --profile x s3', 's3'],
    ['gcloud --project x list', 'list'],
    ['helm -n x list', 'list'],
    ['npm --prefix x test', 'test'],
    ['systemctl -H x status', 'status'],
    ['usermod -aG docker bob', 'bob'],
    ['curl -sX POST url', 'url'],
    ['tar -czf a.tgz b', 'b'],
    ['cut -d , f', 'f'],
    ['head -n 5 f', 'f'],
    ['mv -t x f', 'f'],
    ['psql -U bob shop', 'shop'],
  ])('leave the value of an option out of the operands: %s', (text, operand) => {
    expect(only(text).operands).toEqual([operand]);
  });

  it('have a value where no expansion is left', () => {
    expect(only('x "$A" b').words).toEqual([
      { text: 'x', value: 'x' },
      { text: '"$A"', value: undefined },
      { text: 'b', value: 'b' },
    ]);
    expect(only(`x $'a\\tb' "c"'d'`).operands).toEqual(['a\tb', 'cd']);
    expect(only(`x {a,b} *.txt +(a)`).operands).toEqual(['{a,b}', '*.txt', '+(a)']);
    expect(only(`x {$A,b}`).words[1]?.value).toBeUndefined();
  });

  it('have the variables put in that the script set', () => {
    expect(readShell(`A=b; x "$A/c" $\{A}`)?.at(-1)?.operands).toEqual(['b/c', 'b']);
    expect(readShell('A=b; A+=c; x $A')?.at(-1)?.words[1]?.value).toBeUndefined();
    expect(readShell(`A=b; x $\{A%c}`)?.at(-1)?.words[1]?.value).toBeUndefined();
    expect(readShell('for A in b c; do x $A; done')?.at(-1)?.words[1]?.value).toBeUndefined();
    expect(readShell('for A in b /; do x $A; done')?.at(-1)?.words[1]?.value).toBe('/');
  });

  it('do not grow without end', () => {
    const doubled = readShell(`A=aaaaaaaaaa; ${'A=$A$A; '.repeat(40)} x $A`);
    expect(doubled?.at(-1)?.words[1]?.value).toBeUndefined();
  });

  it('come with assignments and redirections', () => {
    expect(only('A=b x > y 2>> z < w <<< "v"')).toMatchObject({
      assigns: ['A=b'],
      redirects: [
        { operator: '>', target: 'y' },
        { operator: '2>>', target: 'z' },
        { operator: '<', target: 'w' },
        { operator: '<<<', target: 'v' },
      ],
    });
    expect(only('x <<E\na b\nE').redirects).toEqual([{ operator: '<<', target: 'a b\n' }]);
    expect(only('export A="b c"').operands).toEqual(['A=b c']);
    expect(only('> x')).toMatchObject({ program: '', unreadable: false });
  });

  it('tell where they stand', () => {
    expect(readShell('a; b c')?.map(({ span }) => span)).toEqual([
      { start: 0, end: 1 },
      { start: 3, end: 6 },
    ]);
    expect(readShell("sh -c 'a'")?.at(-1)?.span).toBeUndefined();
  });
});

describe('wrappers', () => {
  it.each([
    ['sudo -u bob x', ['sudo']],
    ['doas -u bob x', ['doas']],
    ['env -u A B=c x', ['env']],
    ['/usr/bin/time -f a x', ['time']],
    ['timeout -s 9 5 x', ['timeout']],
    ['timeout --signal 9 5 x', ['timeout']],
    ['nohup x', ['nohup']],
    ['nice -n 5 x', ['nice']],
    ['ionice -c 2 x', ['ionice']],
    ['xargs -I {} -n 1 x', ['xargs']],
    ['xargs -0 x', ['xargs']],
    ['command x', ['command']],
    ['builtin x', ['builtin']],
    ['exec -a y x', ['exec']],
    ['busybox x', ['busybox']],
    ['toybox x', ['toybox']],
    ['setsid x', ['setsid']],
    ['stdbuf -o L x', ['stdbuf']],
    ['strace -o y x', ['strace']],
    ['chroot /y x', ['chroot']],
    ['taskset 1 x', ['taskset']],
    ['flock y x', ['flock']],
    ['unshare -r x', ['unshare']],
    ['nsenter -t 1 x', ['nsenter']],
    ['fakeroot x', ['fakeroot']],
    ['caffeinate -t 5 x', ['caffeinate']],
    ['unbuffer x', ['unbuffer']],
    ['pkexec --user bob x', ['pkexec']],
    ['runuser -u bob -g staff x', ['runuser']],
    ['proxychains -f y x', ['proxychains']],
    ['torsocks x', ['torsocks']],
    ['uv run x', ['uv']],
    ['uv run --with y x', ['uv']],
    ['poetry run x', ['poetry']],
    ['pipenv run x', ['pipenv']],
    ['pdm run x', ['pdm']],
    ['hatch run x', ['hatch']],
    ['bundle exec x', ['bundle']],
    ['rbenv exec x', ['rbenv']],
    ['pyenv exec x', ['pyenv']],
    ['dotenv run x', ['dotenv']],
    ['op run -- x', ['op']],
    ['doppler run -- x', ['doppler']],
    ['sudo -E nohup nice x', ['sudo', 'nohup', 'nice']],
    ['sudo -- x', ['sudo']],
  ])('are taken off: %s', (text, wrappers) => {
    expect(readShell(text)?.at(-1)).toMatchObject({ program: 'x', wrappers, operands: [] });
  });

  it.each([
    ['command -v x', 'command'],
    ['sudo -l x', 'sudo'],
    ['command -V x', 'command'],
    ['sudo -v x', 'sudo'],
    ['sudo -k x', 'sudo'],
    ['env --version x', 'env'],
    ['env', 'env'],
    ['uv pip', 'uv'],
    ['xargs -n 1', 'xargs'],
    ['timeout 5', 'timeout'],
  ])('stay where they run nothing: %s', (text, program) => {
    expect(only(text)).toMatchObject({ program, wrappers: [] });
  });

  it('keep what they set and say', () => {
    expect(only('env A=b sudo -u bob x')).toMatchObject({ assigns: ['A=b'] });
    expect(only('sudo -u bob x').before.map(({ text }) => text)).toEqual(['sudo', '-u', 'bob']);
  });

  it('end somewhere', () => {
    expect(only('sudo '.repeat(30).concat('x')).program).toBe('sudo');
  });
});

describe('commands inside of others', () => {
  it.each([
    ['a $(b) `c` "$(d)"', 'a[]($(b), `c`, "$(d)") <b[]()> <c[]()> <d[]()>'],
    ['a <(b) > >(c)', 'a[](<(b)) <b[]()> <c[]()>'],
    ['X=$(a)', '[]() <a[]()>'],
    ['a $((1 + $(b)))', 'a[]($((1 + $(b)))) <b[]()>'],
    ["sh -c 'a b'", 'sh[-c](a b) <a[](b)>'],
    ['bash -lc "a $X"', 'bash[-c -l]("a $X") <a[]($X)>'],
    ['bash x -c y', 'bash[-c](x, y)'],
    ['su bob --command=a', 'su[--command](bob) <a[]()>'],
    ['su - bob -c "a"', 'su[-c](-, bob, a) <a[]()>'],
    ['eval a "b c"', 'eval[](a, b c) <a[](b, c)>'],
    ['find . -exec a -b {} \\; -okdir c {} + -print', 'find[-exec -okdir -print](.) <a[-b]({})> <c[]({})>'],
    ['fd x -X a -b', 'fd[-X](x) <a[-b]()>'],
    ['fd x -x a -b', 'fd[-x](x) <a[-b]()>'],
    ["fish -c 'a b'", 'fish[-c](a b) <a[](b)>'],
    ['xargs sh -c "a"', 'sh[-c](a) <a[]()>'],
    ['ssh -i k host a -b', 'ssh[-i](host) <a[-b]()>'],
    ['ssh host', 'ssh[](host)'],
    ['kubectl exec p -c d -- a -b', 'kubectl[-c](exec, p) <a[-b]()>'],
    ['kubectl get p -- a', 'kubectl[](get, p, a)'],
    ['lxc exec p -- a', 'lxc[](exec, p) <a[]()>'],
    ['docker exec -it -u bob c a -b', 'docker[-i -t -u](exec, c) <a[-b]()>'],
    ['docker exec -e A=b c a', 'docker[-e](exec, c) <a[]()>'],
    ['docker run --rm --name=n c', 'docker[--name --rm](run, c)'],
    ['docker compose exec -T c a', 'docker[-T](compose, exec, c) <a[]()>'],
    [
      'docker run -P --init --privileged --tty --interactive --detach --read-only --no-deps --publish-all --quiet -itd c a',
      'docker[--detach --init --interactive --no-deps --privileged --publish-all --quiet --read-only --tty -P -d -i -t](run, c) <a[]()>',
    ],
    ['docker ps a', 'docker[](ps, a)'],
    ["watch -n 1 'a | b'", 'watch[-n]() <a[]()> <b[]()>'],
    ["parallel 'a {}' ::: x y", 'parallel[]() <a[]({})>'],
    ["env -S 'a b'", 'env[-S](a b) <a[](b)>'],
    ["trap 'a' EXIT", 'trap[](a, EXIT) <a[]()>'],
    ['trap -l', 'trap[-l]()'],
    ["alias a='b c'", 'alias[](a=b c) <b[](c)>'],
    ['alias a', 'alias[](a)'],
    ['cmd /c a b', 'cmd[](/c) <a[](b)>'],
    ['bash <<E\na\nE', 'bash[]() <a[]()>'],
    ['bash -s x <<< a', 'bash[-s](x) <a[]()>'],
    ['bash x <<< a', 'bash[](x)'],
    ['echo a | sh', 'echo[](a) sh[]() <a[]()>'],
    ['echo a | cat | sh', 'echo[](a) cat[]() sh[]()'],
    ['echo $X | sh', 'echo[]($X) sh[]()'],
  ])('are read: %s', (text, commands) => {
    expect(outline(text)).toBe(commands);
  });

  it('tell what they are inside of, and what for', () => {
    const uses = (text: string) => readShell(text)?.map(({ use, outer }) => (use ? `${use} ${outer?.program}` : '-'));
    expect(uses('a $(b)')).toEqual(['-', 'output a']);
    expect(uses('$(b) a')).toEqual(['-', 'program ']);
    expect(uses("sh -c 'b'")).toEqual(['-', 'runs sh']);
  });

  it('cannot be told where they are nested deeper than anybody writes', () => {
    expect(readShell(`a ${'$(a '.repeat(5)}${')'.repeat(5)}`)?.some(({ unreadable }) => unreadable)).toBe(false);
    expect(readShell(`a ${'$(a '.repeat(6)}${')'.repeat(6)}`)?.some(({ unreadable }) => unreadable)).toBe(true);
    expect(readShell(`a $((${'1+'.repeat(2_000)}1))`)?.some(({ unreadable }) => unreadable)).toBe(true);
  });

  it('cannot be told where their name is an expansion, a pattern or of other letters', () => {
    for (const text of ['$X a', '{a,b}', '/bin/r?', '"" a', 'аbc', 'a"$X"']) {
      expect(readShell(text)?.[0]).toMatchObject({ unreadable: true });
    }
    expect(only('[ -f x ]')).toMatchObject({ program: '[', unreadable: false });
  });
});

describe('pipelines', () => {
  const places = (text: string) =>
    readShell(text)?.map(({ program, pipeline, place }) => `${program}${pipeline}.${place}`);

  it('number their commands', () => {
    expect(places('a | b | c; d && e')).toEqual(['a1.0', 'b1.1', 'c1.2', 'd2.0', 'e3.0']);
  });

  it('give what a group holds the place of the group', () => {
    expect(places('a | (b; c | d)')).toEqual(['a1.0', 'b1.1', 'c1.1', 'd1.2']);
    expect(places('a | while b; do c; done')).toEqual(['a1.0', 'b1.1', 'c1.1']);
  });

  it('begin anew inside of a command', () => {
    expect(places('a | b $(c | d)')).toEqual(['a1.0', 'b1.1', 'c2.0', 'd2.1']);
  });

  it('tell what a function pipes into itself', () => {
    expect(readShell(':(){ :|: ;}')?.map(({ definedIn, place }) => [definedIn, place])).toEqual([
      [':', 0],
      [':', 1],
    ]);
  });
});

describe('a text that is no shell', () => {
  it.each(["it's fine", 'if true; then', '| a', 'print("x")', 'a ) b', 'echo $('])('is not read: %s', (text) => {
    expect(readShell(text)).toBeUndefined();
    expect(looksLikeShell(text)).toBe('no');
  });

  it.each([`x ${'{'.repeat(600)}`, `x${' <<E'.repeat(300)}`, 'x '.repeat(60_000)])(
    'is not read where it is not bounded',
    (text) => {
      expect(readShell(text)).toBeUndefined();
    },
  );

  it('is read where it is bounded', () => {
    expect(readShell(`x ${'{ '.repeat(600)}`)).toHaveLength(1);
    expect(readShell('x '.repeat(40_000))).toHaveLength(1);
  });
});

describe('whether a text is a command', () => {
  it.each([
    'ls',
    'ls -la',
    'cat file.txt',
    'git status',
    'sudo reboot',
    'mytool deploy --env prod',
    'mytool -x',
    './run.sh now',
    '/opt/run now',
    '~/bin/run now',
    '../run now',
    'mytool > out',
    'mytool 2>&1',
    'nice mytool',
    'sort x | uniq',
    'mytool | sort',
    'cut -d, -f1 x',
    'cd /tmp; ls',
    'date; sort x',
    'for f in *; do echo $f; done',
    'while read l; do foo; done',
    'if foo; then bar; fi',
    'case $x in b) foo;; esac',
    'f() { foo; }',
    '(foo)',
    '{ foo; }',
    '[[ -f x ]]',
    'echo Hello, world',
    'echo "the cat is on the mat"',
    'grep "Hello, you." f',
    'git commit -m "I will fix the bug"',
    'Get-ChildItem -Recurse',
    'kubectl rollout restart deployment billing',
  ])('is clear of %s', (text) => {
    expect(looksLikeShell(text)).toBe('yes');
  });

  it.each(['cancel order 5', 'go to cabinet 1', 'sort them', 'inhouse list', 'finish', 'make', 'open fridge 1', 'X=1'])(
    'may be so of %s',
    (text) => {
      expect(looksLikeShell(text)).toBe('maybe');
    },
  );

  it.each([
    'I will now cancel your order.',
    'What is this?',
    'find the order',
    'Lookup order 5; then cancel it',
    'then cancel; and stop',
    'Ich storniere jetzt die Bestellung',
    'search[query]',
    'x = 5',
    'x := 5',
    'import os',
    'from os import path',
    'POST /orders',
    'SELECT a FROM b',
    'delete from t where x > 5',
    'a -> b',
    'user => order',
    'done, thanks',
    'all right!',
    '> quoted text',
    '- item\n- item',
    '{"a": 1}',
    'name | value',
    'the cat | sat',
    'git is the best of all the tools that we have',
    '# a comment',
    '',
    '   ',
    '$X y',
  ])('is not so of %s', (text) => {
    expect(looksLikeShell(text)).toBe('no');
  });
});

/** By hand beside the table: options with the value that follows them. */
const withValue = `
git: -C -c --git-dir --work-tree
kubectl: -n --namespace --context --kubeconfig -s --server --cluster --user -f --filename -o --output -l --selector -c
oc: -n --namespace --context --kubeconfig -f -o -l
helm: -n --namespace --kube-context --kubeconfig -f --values --set
docker: -H --host --context --config -v --volume -e --env --name -p --publish -w --workdir -u --user --network
podman: -v --volume -e --env --name -p --publish -w --workdir -u --user --network
docker-compose: -f --file -p --project-name
aws: --profile --region --output --endpoint-url --query
gcloud: --project --account --configuration --zone --region --format
az: --subscription -g --resource-group -n --name -o --output --query
gh: -R --repo
npm: --prefix -w --workspace
systemctl: -H --host -t --type
crontab: -u
make: -C -f
ssh: -p -i -l -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w
scp: -P -i -l -o -F -J -c -S
rsync: -e --exclude --include --rsh
curl: -X --request -H --header -d --data --data-raw --data-binary --data-urlencode -F --form -o --output -u --user -A -e -b -c -T --upload-file -m --max-time -x --proxy --connect-timeout --retry -w --write-out --cacert --cert --key
wget: -O --output-document -o -P --directory-prefix -U --user-agent --header --post-data --post-file --method --body-data --body-file -t --tries -T
watch: -n -d --interval
parallel: -j --jobs -I --delay -a -N
mv: -t --target-directory -S
cp: -t --target-directory -S
cut: -d -f -c -b --delimiter --fields
sort: -k -t -o -S -T --key --field-separator
awk: -F -v -f
sed: -e -f -l
tar: -f -C --file --directory -T -X
grep: -e -f -m -A -B -C --include --exclude --exclude-dir
head: -n -c
tail: -n -c
usermod: -G -g -d -s -u -l -c -e --groups
truncate: -s --size -r
mysql: -u -h -P -D -e --execute --host --user
psql: -U -h -p -d -c -f --command --host --username --dbname
`;

const wrapperValues = `
sudo: -u -g -h -p -C -D -R -T -U -r -t --user --group
doas: -u -C
env: -u -C --unset --chdir
time: -f -o
timeout 1: -s -k --signal --kill-after
nice: -n --adjustment
ionice: -c -n
xargs: -I -n -P -d -L -s -E -a --max-args --max-procs --delimiter --arg-file
exec: -a
stdbuf: -i -o -e
strace: -o -e -p -s
flock 1: -w -E
nsenter: -t --target
caffeinate: -t
pkexec: --user
runuser: -u
proxychains: -f
`;

describe('options with a value', () => {
  const pairs = (text: string) =>
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [program = '', options = ''] = line.split(': ');
        return options.split(' ').map((option): [string, string] => [program, option]);
      });

  it.each(pairs(withValue))('are those of %s: %s', (program, option) => {
    expect(readShell(`${program} ${option} value operand`)?.[0]?.operands).not.toContain('value');
  });

  it.each(pairs(wrapperValues))('are those of the wrapper %s: %s', (wrapper, option) => {
    const [program = '', operand = ''] = wrapper.split(' ');
    expect(only(`/bin/${program} ${option} value ${operand} x`)).toMatchObject({ program: 'x', wrappers: [program] });
  });

  it.each(
    `find java javac terraform tofu packer vault consul nomad gcc g++ clang ffmpeg ffprobe openssl go test [
    powershell pwsh dotnet`.split(/\s+/),
  )('are never letters of %s', (program) => {
    expect(only(`${program} -abc x`).options).toEqual(['-abc']);
  });
});

it.each(
  'the a an is are was i you your my we our it please this that will would can could should have has und der die das le la les el los'.split(
    ' ',
  ),
)('no command has the word %s', (word) => {
  expect(looksLikeShell(`cancel ${word} order`)).toBe('no');
  expect(looksLikeShell('cancel order')).toBe('maybe');
});

describe('programs by their name', () => {
  it.each(
    `python python3 python2 node ruby perl php sqlite3 psql mysql mongosh mongo redis-cli bq mv cp mkdir touch tee
    ln dd chmod chown chgrp tar zip unzip gzip gunzip bzip2 xz 7z csplit mktemp useradd usermod groupadd adduser
    cmake ninja vim vi nano emacs crontab ssh scp rsync tmux git docker podman kubectl oc helm terraform tofu npm
    yarn pnpm bun pip pip3 uv poetry bundle mvn gradle dotnet composer aws gcloud az gh heroku vercel flyctl
    systemctl launchctl ansible ansible-playbook vagrant apt apt-get yum dnf brew apk dpkg rpm pacman conda
    iptables ufw sh bash zsh dash java javac gcc g++ clang rustc ffmpeg magick sudo su docker-compose pg_dump
    pg_restore mysqldump createdb dropdb alembic django-admin nohup pkill killall shutdown reboot`.split(/\s+/),
  )('prove a command: %s', (program) => {
    expect(looksLikeShell(`${program} foo`)).toBe('yes');
  });

  it.each(
    `alias at batch bc bore break cargo clear code column continue convert cut date dc declare dig ed erase eval
     exit expand export factor false file find flask fold format free gem go groups halt help history host http
    hub id identify info install ip jobs join kill last less let local look lt mail make man more mount net numfmt
    passwd paste patch ping pkg port py rails rake read rename reset return route screen service set shift sleep
    snap sort split ss strings test top trash true type unset users w wait watch whatis which who yes`.split(/\s+/),
  )('prove none where they are words too: %s', (program) => {
    expect(looksLikeShell(`${program} foo`)).not.toBe('yes');
    expect(looksLikeShell(`cat foo | ${program} foo`)).toBe('yes');
  });
});
