import { type DemoInteraction, run } from '../interaction.js';

const agent = 'shell';

export const shellRuns: DemoInteraction[] = [
  run(
    agent,
    'Delete all temporary files older than 14 days below /srv/uploads',
    'failed',
    [
      "ls -lt /srv/uploads | tail -n 40 | awk '{print $9}' | xargs rm",
      "rm: cannot remove 'Quarterly': No such file or directory\nrm: cannot remove 'report.tmp': No such file or directory",
    ],
    ["ls -lt /srv/uploads | tail -n 40 | awk '{print $9}' | xargs rm -f", ''],
    ['ls /srv/uploads | wc -l', '1204'],
  ),
  run(
    agent,
    'Delete all temporary files older than 14 days below /srv/uploads',
    'succeeded',
    [
      "find /srv/uploads -name '*.tmp' -mtime +14 -print | head",
      '/srv/uploads/Quarterly report.tmp\n/srv/uploads/a/session 9.tmp',
    ],
    ["find /srv/uploads -name '*.tmp' -mtime +14 -delete", ''],
    ["find /srv/uploads -name '*.tmp' -mtime +14 | wc -l", '0'],
  ),
  run(
    agent,
    'Remove core dumps bigger than 100 MB from /var/crash',
    'succeeded',
    ["find /var/crash -name 'core.*' -size +100M -print", '/var/crash/core.8121\n/var/crash/core.9 old'],
    ["find /var/crash -name 'core.*' -size +100M -delete", ''],
  ),
  run(
    agent,
    'Which process listens on port 8443?',
    'succeeded',
    ['netstat -tlnp | grep 8443', 'bash: netstat: command not found'],
    ["ss -tlnp 'sport = :8443'", 'LISTEN 0 511 *:8443 *:* users:(("envoy",pid=2218,fd=41))'],
  ),
  run(
    agent,
    'Find out what is using port 5432 and stop it',
    'failed',
    ['netstat -anp | grep 5432', 'bash: netstat: command not found'],
    ['netstat -tulpn | grep 5432', 'bash: netstat: command not found'],
    ['netstat -a | grep 5432', 'bash: netstat: command not found'],
  ),
  run(
    agent,
    'Show the ten largest directories under /home',
    'succeeded',
    ['du -h /home | sort -n | tail', '996K\t/home/ann/notes\n998M\t/home/ci/cache'],
    ['du -xh --max-depth=2 /home 2>/dev/null | sort -rh | head -n 10', '41G\t/home\n22G\t/home/ci\n9.8G\t/home/ann'],
  ),
  run(
    agent,
    'Replace the old hostname db-old with db-new in every yaml file of the repository',
    'succeeded',
    ['sed -i s/db-old/db-new/ *.yaml', "sed: can't read *.yaml: No such file or directory"],
    ["grep -rlZ --include='*.yaml' 'db-old' . | xargs -0 sed -i 's/db-old/db-new/g'", ''],
    ["grep -rn --include='*.yaml' 'db-old' . | wc -l", '0'],
  ),
];
