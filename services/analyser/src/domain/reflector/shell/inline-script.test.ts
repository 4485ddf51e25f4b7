import { roleOf } from '../actions/action-role.js';
import { readActions } from '../actions/read-actions.js';
import { takeOutHeredocs } from './heredocs.js';
import { readInlineScript } from './inline-script.js';
import { readStages } from './shell-command.js';

const edit = "python3 - <<'PY'\nfrom pathlib import Path\np = Path('garden/beds.py')\np.write_text(p.read_text())\nPY";

function programsOf(command: string): string[] {
  return readStages(command).map(({ program }) => program);
}

it('takes what is handed to a program for no command', () => {
  expect(programsOf(edit)).toEqual(['python3']);
  expect(programsOf('cat > notes.txt <<EOF\nrm the weeds; sow grass\nEOF\nwc -l notes.txt')).toEqual(['cat', 'wc']);
});

it('takes out several texts, and one that never ends', () => {
  expect(takeOutHeredocs('cat <<A > a\none\nA\ncat <<B > b\ntwo')).toEqual({
    command: 'cat  > a\ncat  > b',
    texts: ['one', 'two'],
  });
});

it('takes a word that is handed over for no beginning of a text', () => {
  expect(programsOf('bc <<< total\nrm scratch.txt')).toEqual(['bc', 'rm']);
});

it.each([
  [edit, { program: 'python3', writes: true, files: ['garden/beds.py'] }],
  ["cat > fix.py <<'PY'\nopen('beds.txt', 'w').write('x')\nPY\npython fix.py", { program: 'python', writes: true }],
  ['python -c "print(open(\'beds.txt\').read())"', { program: 'python', writes: false, files: ['beds.txt'] }],
])('reads %j', (command, script) => {
  expect(readInlineScript(command)).toMatchObject(script);
});

it('sees no script where a program runs a file that is there', () => {
  expect(readInlineScript('python3 manage.py migrate')).toBeUndefined();
});

it.each([
  [edit, 'change'],
  ['python3 -c "print(1)"', 'look'],
  ['grep -rn weeds garden || true', 'look'],
  ['sed -i s/a/b/ beds.txt && nl beds.txt', 'change'],
  ['Get-ChildItem C:/beds -Recurse | Sort-Object Length', 'look'],
  ['Get-ChildItem C:/beds | Remove-Item', 'change'],
  ['edit_file({"command": "view", "path": "beds.txt"})', 'look'],
  ['edit_file({"command": "insert", "path": "beds.txt"})', 'change'],
  ['http_request({"method": "GET", "url": "/beds"})', 'look'],
])('sees what %j does to the world: %s', (command, role) => {
  const [action] = readActions(command, { usesShell: true, givesOrders: false });

  expect(action && roleOf(action)).toBe(role);
});
