/** An upload of five turns and about 4 KB; each number gives another one of the same size. */
export function sampleUpload(number: number, tenant = 'bench'): string {
  const task = `Rotate the access logs of web server ${String(number).padStart(9, '0')} and keep four weeks of them`;
  return JSON.stringify(sampleInteraction(task, tenant));
}

export function sampleInteraction(task: string, tenant: string) {
  return {
    tenant_id: tenant,
    query: task,
    agent_type: 'shell',
    success: true,
    turns: [
      turn(1, task, 'ls -la /var/log/nginx', listing),
      turn(2, listing, 'cat /etc/logrotate.d/nginx', 'cat: /etc/logrotate.d/nginx: No such file or directory'),
      turn(3, 'cat: no such file', 'tee /etc/logrotate.d/nginx < rotate.conf', 'weekly\nrotate 4\ncompress\nmissingok'),
      turn(4, 'weekly', 'logrotate --debug /etc/logrotate.d/nginx', `considering log access.log\n${listing}`),
      turn(5, listing, 'logrotate --force /etc/logrotate.d/nginx', 'rotated 1 log'),
    ],
  };
}

const listing = Array.from(
  { length: 9 },
  (_, day) => `-rw-r----- 1 www-data adm ${412_337 + day * 7919} Mar ${day + 1} 00:0${day} access.log.${day}`,
).join('\n');

function turn(number: number, inputs: string, decision: string, result: string) {
  return { turn: number, inputs, decision, result };
}
