import { aHit, answerTo, times } from './test-kit/hits.js';

/** Whatever is near and does the opposite of what is asked is not told: a near miss is worse than silence. */
describe('the opposite of a past task', () => {
  it.each([
    [
      'Delete everything in /data/in except the *.txt files',
      'Delete the *.txt files in /data/in',
      "find /data/in -name '*.txt' -delete",
    ],
    [
      'Stop all containers except those with the label env=staging',
      'Stop all containers with the label env=staging',
      'docker stop $(docker ps -q --filter label=env=staging)',
    ],
    ['Disable the nightly backup timer', 'Enable the nightly backup timer', 'systemctl enable backup.timer'],
    [
      'Revoke write access to repo billing from ops',
      'Grant write access to repo billing to ops',
      'acl grant ops billing',
    ],
    ['Copy the photos from /srv/b to /srv/a', 'Copy the photos from /srv/a to /srv/b', 'cp /srv/a/*.jpg /srv/b'],
    ['Show the smallest file under /srv', 'Show the largest file under /srv', 'du -a /srv | sort -n | tail -1'],
  ])('is not answered with what it took: %s', async (task, past, example) => {
    const stored = times(5, () => aHit({ task: past, example, similarity: 0.97 }));

    expect((await answerTo(task, stored)).added).toBe('');
    expect((await answerTo(past, stored)).added).toContain(example);
  });

  it('is not answered with a call either, whatever its syntax', async () => {
    const stored = ['set_alarm(state="on")', '{"name":"set_alarm","arguments":{"state":"on"}}'].map((example) =>
      aHit({ task: 'Enable the alarm in the hall', example, similarity: 0.97 }),
    );

    expect((await answerTo('Disable the alarm in the hall', stored)).added).toBe('');
  });

  it('nor is a task with what destroys at one that is only a likely paraphrase', async () => {
    const stored = times(5, () =>
      aHit({ task: 'Delete the empty files in /srv/in', example: 'find /srv/in -empty -delete', similarity: 0.95 }),
    );

    expect((await answerTo('Delete the hidden files in /srv/in', stored)).added).not.toContain('-delete\n');
    expect((await answerTo('Delete the hidden files in /srv/in', stored)).added).not.toContain('Example');
  });
});
