import { editOf, patchIn, readEdits, readSearchReplace } from './edits.js';

describe('editOf', () => {
  it.each(['path', 'file_path', 'filepath', 'file', 'filename', 'file_name', 'target_file', 'TargetFile'])(
    'finds the file under %s',
    (key) => {
      expect(editOf('helper', { [key]: 'a.py', old_str: 'a' })).toEqual({
        kind: 'edit',
        verb: 'edit',
        object: 'a.py',
        args: { old_str: 'a' },
      });
    },
  );

  it.each([
    ...['old_str', 'new_str', 'old_string', 'new_string', 'diff', 'patch', 'insert_line', 'code_edit', 'edits'],
  ])('finds a change by %s', (key) => {
    expect(editOf('helper', { path: 'a.py', [key]: 'a' })).toBeDefined();
    expect(editOf('helper', { [key]: 'a' })).toBeUndefined();
  });

  it.each(['content', 'contents', 'file_text', 'text', 'new_content'])('finds a file that is written by %s', (key) => {
    expect(editOf('write_file', { path: 'a.py', [key]: 'a' })).toBeDefined();
    expect(editOf('send_file', { path: 'a.py', [key]: 'a' })).toBeUndefined();
  });

  it.each(['write', 'create', 'edit', 'insert', 'append', 'replace', 'overwrite', 'save'])('%s writes', (verb) => {
    expect(editOf(`${verb}File`, { path: 'a.py', content: 'a' })).toBeDefined();
    expect(editOf('editor', { command: verb, path: 'a.py', content: 'a' })).toBeDefined();
  });

  it('takes what only reads for no edit', () => {
    expect(editOf('write_file', { path: 'a.py' })).toBeUndefined();
    expect(editOf('write_file', { path: 7, content: 'a' })).toBeUndefined();
  });
});

describe('patches', () => {
  const patch =
    '*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** Add File: b.py\n+c\n*** Delete File: c.py\n*** End Patch';

  it('are one edit for every file', () => {
    const found = readEdits(patch);

    expect(found?.edits.map(({ verb, object }) => [verb, object])).toEqual([
      ['edit', 'src/a.py'],
      ['edit', 'b.py'],
      ['delete', 'c.py'],
    ]);
    expect(found?.edits[1]).toEqual({
      kind: 'edit',
      verb: 'edit',
      object: 'b.py',
      args: { change: '*** Add File: b.py\n+c' },
      text: '*** Begin Patch\n*** Add File: b.py\n+c\n*** End Patch',
    });
    expect(found?.rest).toBe('');
  });

  it.each([
    ["apply_patch <<'EOF'\n", '\nEOF'],
    ['apply_patch << EOF\n', '\nEOF'],
    ['applypatch "', '"'],
    ["apply_patch '", "'"],
    ['', ''],
  ])('may be given to a command: %j', (before, after) => {
    const one = '*** Begin Patch\n*** Update File: a.py\n-a\n+b\n*** End Patch';

    expect(readEdits(`${before}${one}${after}`)).toEqual({
      edits: [expect.objectContaining({ object: 'a.py', text: `${before}${one}${after}` })],
      rest: '',
    });
  });

  it('hide nothing that stands around them', () => {
    expect(readEdits(`rm -r beds; apply_patch <<EOF\n${patch}\nEOF`)).toBeUndefined();
    expect(readEdits(`${patch}\nrm -r beds`)?.rest).toBe('rm -r beds');
    expect(readEdits(`apply_patch <<EOF\n${patch}\nEOF\nrm -r beds`)?.rest).toBe('rm -r beds');
    expect(readEdits('*** Begin Patch\n*** End Patch')).toBeUndefined();
  });

  it('are found in calls that apply them', () => {
    expect(patchIn('apply_patch', { input: patch })).toBe(patch);
    expect(patchIn('applyPatch', { input: patch })).toBe(patch);
    expect(patchIn('apply', { input: patch })).toBeUndefined();
    expect(patchIn('apply_patch', { input: 'a' })).toBeUndefined();
  });
});

describe('diffs', () => {
  const first =
    'diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n c\n\\ No newline';
  const second = 'diff --git a/b.py b/b.py\ndeleted file mode 100644\n--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a';

  it('are one edit for every file', () => {
    expect(readEdits(`${first}\n${second}`)?.edits).toEqual([
      { kind: 'edit', verb: 'edit', object: 'a.py', args: { change: first }, text: first },
      { kind: 'edit', verb: 'delete', object: 'b.py', args: { change: second }, text: second },
    ]);
  });

  it.each([
    '--- a.py\t2031\n+++ a.py\t2031\n@@ -1 +1 @@\n-a\n+b',
    'Index: a.py\n===================\n--- a.py\n+++ a.py\n@@ -1 +1 @@\n-a\n+b',
    'diff --git a/z.py b/a.py\nsimilarity index 90%\nrename from z.py\nrename to a.py\n--- a/z.py\n+++ b/a.py',
    'diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+a',
    'diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n--- a/a.py\n+++ b/a.py',
  ])('name their file: %j', (text) => {
    expect(readEdits(text)?.edits.map(({ verb, object }) => [verb, object])).toEqual([['edit', 'a.py']]);
  });

  it('are split without lines of git too', () => {
    const text = '--- a.py\n+++ a.py\n@@ -1 +1 @@\n-a\n+b\n--- b.py\n+++ b.py\n@@ -1 +1 @@\n-a\n+b';

    expect(readEdits(text)?.edits.map(({ object }) => object)).toEqual(['a.py', 'b.py']);
  });

  it.each(['--- a.py\n+++ a.py\n-a\n+b\nrm -r beds', '--- a rule', 'diff --git a b', '+++ a.py\n--- a.py'])(
    'are nothing else: %j',
    (text) => {
      expect(readEdits(text)).toBeUndefined();
    },
  );
});

describe('blocks to search and replace', () => {
  const block = '<<<<<<< SEARCH\na\nb\n=======\nc\n>>>>>>> REPLACE';

  it.each([`src/a.py\n${block}`, `**src/a.py**\n\`\`\`py\n${block}\n\`\`\``, `\`\`\`\nsrc/a.py\n${block}\n\`\`\``])(
    'name their file: %j',
    (text) => {
      expect(readSearchReplace(text)).toEqual([
        {
          kind: 'edit',
          verb: 'edit',
          object: 'src/a.py',
          args: { search: 'a\nb', replace: 'c' },
          text: `src/a.py\n${block}`,
        },
      ]);
    },
  );

  it('keep the file that was named last', () => {
    expect(readSearchReplace(`a.py\n${block}\n\n${block}\nb.py\n${block}`)?.map(({ object }) => object)).toEqual([
      'a.py',
      'a.py',
      'b.py',
    ]);
    expect(readSearchReplace(`I change this line:\n${block}`)?.[0]).not.toHaveProperty('object');
  });

  it('are whole or none', () => {
    expect(readSearchReplace('a.py\n<<<<<<< SEARCH\na\n=======\nb')).toBeUndefined();
    expect(readSearchReplace('a.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE')).toBeUndefined();
    expect(readSearchReplace('a.py\n=======\na\n>>>>>>> REPLACE')).toBeUndefined();
  });
});

describe('edits of lines', () => {
  it('are read with or without lines, up to their end', () => {
    expect(readEdits('edit 3:4\na\nend_of_edit\nls')).toEqual({
      edits: [{ kind: 'edit', verb: 'edit', args: { lines: '3:4', change: 'a' }, text: 'edit 3:4\na\nend_of_edit' }],
      rest: 'ls',
    });
    expect(readEdits('edit\na\nend_of_edit')?.edits[0]?.args).toEqual({ change: 'a' });
  });

  it.each(['edit 3:4\na', 'edit the file\na\nend_of_edit', 'ls\nedit 3:4\na\nend_of_edit'])('are not %j', (text) => {
    expect(readEdits(text)).toBeUndefined();
  });
});
