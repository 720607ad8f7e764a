import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fenced } from '../../../src/base/codeFence.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { applyLineEdits } from '../../../src/edits/place/lineEdit.ts';
import { namedPaths, planAnswer, planCode, planEdit, planNewFile, planReplacements } from '../../../src/edits/plan.ts';

const document = (lines: readonly string[]) => ({
  path: 'a.ts',
  lines,
  selection: { first: 0, last: lines.length - 1 },
});

function plan(text: string, selected: string[] = ['old'], finishReason = 'stop'): readonly string[] {
  const planned = planEdit({ text, finishReason }, document(selected));
  assert.ok(planned.kind === 'edits', planned.kind);
  const [file] = planned.files;
  assert.deepEqual([file?.path, planned.files.length], ['a.ts', 1]);
  return applyLineEdits(selected, file?.edits ?? []);
}

function refused(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.kind === kind;
}

describe('the code in an answer', () => {
  it('is the fenced block, without the talk around it', () => {
    assert.deepEqual(plan('Here you are:\n\n```ts\nnew\nlines\n```\n\nI renamed it.'), ['new', 'lines']);
  });

  it('is the whole answer where there is no fence, and it is code', () => {
    assert.deepEqual(plan('\nnew();\nlines();\n'), ['new();', 'lines();']);
    const words = planEdit(
      { text: 'I am sorry, but I cannot help with that.', finishReason: 'stop' },
      document(['old']),
    );
    assert.deepEqual(words, { kind: 'nothing', hasWords: true });
    assert.deepEqual(planEdit({ text: '```\nold\n```', finishReason: 'stop' }, document(['old'])), {
      kind: 'nothing',
      hasWords: false,
    });
  });

  it('is none of several blocks that are as good', () => {
    for (const text of ['```\nfirst\n```\nor\n```\nsecond\n```', '```\nfirst\n```\n\n```\nsecond\n```'])
      assert.deepEqual(planEdit({ text, finishReason: 'stop' }, document(['old'])), {
        kind: 'unresolved',
        reason: 'ambiguous',
      });
  });

  it('is none of more blocks than anybody gives for one selection', () => {
    const text = Array.from({ length: 40 }, (_, at) => `\`\`\`ts\nold${at}(changed);\n\`\`\``).join('\n\n');
    const selected = Array.from({ length: 80 }, (_, at) => `old${at}();`);
    assert.equal(planEdit({ text, finishReason: 'stop' }, document(selected)).kind, 'unresolved');
  });

  it('is read from an answer with CRLF, and from one with tildes', () => {
    assert.deepEqual(plan('```ts\r\nnew\r\nlines\r\n```\r\n'), ['new', 'lines']);
    assert.deepEqual(plan('~~~\nnew\n~~~'), ['new']);
  });

  it('keeps blocks inside a Markdown text that was fenced too short', () => {
    const inside = ['# Title', '```sh', 'npm start', '```', 'End'];
    assert.deepEqual(plan(`\`\`\`md\n${inside.join('\n')}\n\`\`\``), inside);
  });

  it('survives the way through a fence, whatever it is', () => {
    const code = fc.array(fc.constantFrom('a', '', '  b', '```', '````ts', '~~~', '`x`'), { minLength: 1 });
    fc.assert(
      fc.property(code, (inside) => {
        const lines = ['first', ...inside, 'last'];
        assert.deepEqual(plan(`So:\n${fenced(lines.join('\n'), 'md')}\nDone.`, ['x']), lines);
      }),
    );
  });

  it('is nothing when the block is empty: the lines are to be deleted', () => {
    assert.deepEqual(plan('```ts\n```'), []);
  });

  it('is what is left of the selection where lines are to be deleted at its ends', () => {
    const selected = ['log(1);', 'work();', 'log(2);'];
    assert.deepEqual(plan('```ts\nwork();\n```', selected), ['work();']);
  });

  it('is one of the selected functions, and leaves the other alone', () => {
    const selected = ['function a() {', '  return 1;', '}', '', 'function b() {', '  return 2;', '}'];
    const changed = selected.with(5, '  return 3;');
    assert.deepEqual(plan('```ts\nfunction b() {\n  return 3;\n}\n```', selected), changed);
  });
});

describe('an answer that must not be applied', () => {
  it('is an empty one', () => {
    assert.throws(() => plan(' \n\n'), refused('malformed'));
  });

  it('is one whose block has no end', () => {
    const open = (text: string) => () => planEdit({ text }, document(['old']));
    assert.throws(open('```ts\nnew\nli'), refused('truncated'));
    assert.throws(open('```md\n# Title\n```sh\nnpm start\n```'), refused('truncated'));
    assert.deepEqual(plan('```ts\nnew\nlines'), ['new', 'lines'], 'a model that said it was done forgot the end');
  });

  it('is one that reached the limit of tokens', () => {
    assert.throws(() => plan('```ts\nnew\n```', ['old'], 'length'), refused('truncated'));
  });

  it('is one that the content filter stopped', () => {
    assert.throws(() => plan('```ts\nnew\n```', ['old'], 'content_filter'), refused('content-filter'));
  });

  it('is none where the model declined, and its words are kept', () => {
    const declined = { kind: 'declined', message: 'I will not.' };
    assert.throws(
      () => planEdit({ text: '', refusal: 'I will not.\n', finishReason: 'stop' }, document(['old'])),
      declined,
    );
  });

  it('is one that leaves out what nobody can tell', () => {
    const abridged = '```ts\n// ...\nadded();\n// ... rest of the code unchanged\n```';
    const lines = ['first();', 'second();', 'third();'];
    assert.deepEqual(planEdit({ text: abridged, finishReason: 'stop' }, document(lines)), {
      kind: 'unresolved',
      reason: 'ambiguous',
    });
    assert.deepEqual(plan('```ts\nfirst();\nadded();\n// ... rest of the code unchanged\n```', lines), [
      ...['first();', 'added();', 'second();', 'third();'],
    ]);
  });
});

describe('the form of the selection', () => {
  it('keeps its indentation when the model took it off', () => {
    const selected = ['    if (old) {', '      go();', '    }'];
    const answer = '```ts\nif (fresh) {\n  go();\n\n  stop();\n}\n```';
    assert.deepEqual(plan(answer, selected), ['    if (fresh) {', '      go();', '', '      stop();', '    }']);
    assert.deepEqual(plan('```ts\nfresh();\n```', ['\told();']), ['\tfresh();']);
  });

  it('is not indented twice when the model kept it and added a line at the border', () => {
    const selected = ['  first();', '  second();'];
    assert.deepEqual(plan('```ts\n#if DEBUG\n  first();\n  second();\n```', selected), ['#if DEBUG', ...selected]);
  });

  it('keeps its blank lines at both ends, and the end of the file with them', () => {
    assert.deepEqual(plan('```ts\n\nnew\n```', ['', 'old', '', '']), ['', 'new', '', '']);
    assert.deepEqual(plan('```\nnew\n```', ['', '']), ['new']);
  });
});

describe('an answer of a conversation', () => {
  const files = new Map([
    ['src/a.ts', ['function z() {', '  return 9;', '}', '', 'function a() {', '  return 1;', '}']],
    ['src/b.ts', ['const three = 4;']],
  ]);

  const whole = (text: string) => ({ text, isCut: false, mayBeCut: false });
  const code = (path: string, ...lines: string[]) => `\`\`\`ts ${path}\n${lines.join('\n')}\n\`\`\`\n`;
  const diff = (...lines: string[]) => `\`\`\`diff\n${lines.join('\n')}\n\`\`\`\n`;

  it('changes nothing where it was cut off, or may have been', () => {
    const first = code('src/b.ts', 'const three = 3;');
    const open = `${first}\n\`\`\`ts src/a.ts\nfunction a() {\n  return 2;`;
    const cut = { kind: 'unresolved', reason: 'cut' };
    assert.deepEqual(planAnswer({ ...whole(first), isCut: true }, files), cut);
    assert.deepEqual(planAnswer({ ...whole(open), mayBeCut: true }, files), cut);
    assert.equal(planAnswer({ ...whole(first), mayBeCut: true }, files).kind, 'edits');
  });

  it('makes a new file below a folder, whatever is called so above it', () => {
    const known = new Map([
      ['main.go', ['package main', '', 'func main() {', '\trun()', '}']],
      ['package.json', ['{', '  "name": "all"', '}']],
    ]);
    const made = (text: string) => {
      const plan = planAnswer(whole(text), known);
      assert.ok(plan.kind === 'edits', plan.kind);
      return plan.files.map(({ path, isNew }) => [path, isNew]);
    };
    const go = code('cmd/tool/main.go', 'package main', '', 'func main() {', '\ttool()', '}');
    assert.deepEqual(made(`${code('main.go', 'package main', '', 'func main() {', '\trunAll()', '}')}\n${go}`), [
      ['main.go', false],
      ['cmd/tool/main.go', true],
    ]);
    const json = diff('--- /dev/null', '+++ b/packages/foo/package.json', '@@ -0,0 +1,1 @@', '+{ "name": "foo" }');
    assert.deepEqual(made(json), [['packages/foo/package.json', true]]);
  });

  it('proposes what has a place where a file is to be deleted or renamed, and tells of that', () => {
    const removed = { kind: 'unresolved', reason: 'removed' };
    const hunk = ['@@ -1 +1 @@', '-const three = 4;', '+const three = 3;'];
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/b.ts',
      ...hunk,
      '*** Delete File: src/a.ts',
      '*** End Patch',
    ];
    const kept = ['diff --git a/src/b.ts b/src/b.ts', '--- a/src/b.ts', '+++ b/src/b.ts', ...hunk];
    const gone = ['diff --git a/src/a.ts b/src/a.ts', 'deleted file mode 100644', 'index 1234567..0000000'];
    const renamed = [
      'diff --git a/src/b.ts b/lib/b.ts',
      'similarity index 90%',
      'rename from src/b.ts',
      'rename to lib/b.ts',
    ];
    const moved = ['*** Update File: src/b.ts', '*** Move to: lib/b.ts', ...hunk];
    const changed = planAnswer(whole(diff(...kept)), files);
    assert.ok(changed.kind === 'edits' && changed.unplaced.length === 0);
    const rest = (path: string) => ({ ...changed, unplaced: [{ path, reason: 'removed', lines: [] }] });
    assert.deepEqual(planAnswer(whole(diff(...patch)), files), rest('src/a.ts'));
    assert.deepEqual(planAnswer(whole(diff(...kept, ...gone)), files), rest('src/a.ts'));
    assert.deepEqual(planAnswer(whole(diff(...renamed, ...kept.slice(1))), files), rest('src/b.ts'));
    for (const lines of [gone, moved]) assert.deepEqual(planAnswer(whole(diff(...lines)), files), removed);
  });

  it('proposes the blocks that have a place, and tells of the others with their text', () => {
    const block = (path: string, search: string, replace: string): string =>
      `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
    const good = block('src/b.ts', 'const three = 4;', 'const three = 3;');
    const known = new Map([...files, ['src/d.ts', ['twice();', 'twice();']]]);
    const plan = planAnswer(
      whole(good + block('src/a.ts', 'no such line', 'x') + block('src/d.ts', 'twice();', 'x')),
      known,
    );
    assert.deepEqual(plan, {
      ...planAnswer(whole(good), known),
      unplaced: [
        { path: 'src/a.ts', reason: 'not-found', lines: ['no such line'] },
        { path: 'src/d.ts', reason: 'ambiguous', lines: ['twice();'] },
      ],
    });
    const none = planAnswer(whole(block('src/a.ts', 'no such line', 'x')), known);
    assert.deepEqual(none, { kind: 'unresolved', reason: 'not-found' });
  });

  it('proposes all hunks of a file or none', () => {
    const hunks = ['@@ -1 +1 @@', '-function z() {', '+function y() {', '@@ -9 +9 @@', '-no such line', '+x'];
    const other = ['--- a/src/b.ts', '+++ b/src/b.ts', '@@ -1 +1 @@', '-const three = 4;', '+const three = 3;'];
    const plan = planAnswer(whole(diff('--- a/src/a.ts', '+++ b/src/a.ts', ...hunks, ...other)), files);
    assert.deepEqual(plan, {
      ...planAnswer(whole(diff(...other)), files),
      unplaced: [{ path: 'src/a.ts', reason: 'not-found', lines: ['no such line'] }],
    });
  });

  it('is read however many thoughts end in it', () => {
    for (const thought of ['so\n</think>\n', 'so</think>']) {
      const text = `${thought.repeat(40_000)}\n${code('src/b.ts', 'const three = 3;')}`;
      assert.deepEqual(namedPaths(text), ['src/b.ts']);
    }
    // A line separator ends no line of an answer, and no part of it is tried again and again.
    const text = `<think>so</think>${' '.repeat(50_000)}x\u2028y\n${code('src/b.ts', 'const three = 3;')}`;
    assert.deepEqual(namedPaths(text), ['src/b.ts']);
  });

  it('changes each file that it names, and makes those that are not there', () => {
    const text = `So:\n\n${code('src/a.ts', 'function a() {', '  return 2;', '}')}\n${code('src/b.ts', 'const three = 3;')}\nAnd new:\n\n${code('src/c.ts', 'new();')}`;
    assert.deepEqual(namedPaths(text), ['src/a.ts', 'src/b.ts', 'src/c.ts']);
    const plan = planAnswer(whole(text), files);
    assert.ok(plan.kind === 'edits', plan.kind);
    const after = plan.files.map(({ path, edits }) => [path, applyLineEdits(files.get(path) ?? [], edits)]);
    assert.deepEqual(after, [
      ['src/a.ts', ['function z() {', '  return 9;', '}', '', 'function a() {', '  return 2;', '}']],
      ['src/b.ts', ['const three = 3;']],
      ['src/c.ts', ['new();']],
    ]);
  });

  it('is words where it has no code', () => {
    assert.deepEqual(planAnswer(whole('All is well.'), files), { kind: 'nothing', hasWords: true });
  });
});

describe('a block of code', () => {
  const lines = ['one();', 'two();'];
  const apply = (code: string) => planCode(code, { path: 'a.ts', lines }, 0);

  it('comes after the line of the cursor where it has no place, but only if it is code', () => {
    const plan = apply('three();');
    assert.ok(plan.kind === 'edits');
    assert.deepEqual(applyLineEdits(lines, plan.files[0]?.edits ?? []), ['one();', 'three();', 'two();']);
    const lost = { kind: 'unresolved', reason: 'not-found' };
    assert.deepEqual(apply('<<<<<<< SEARCH\nfour();\n=======\nfive();\n>>>>>>> REPLACE'), lost);
    assert.deepEqual(apply('@@ -4 +4 @@\n-four();\n+five();'), lost);
  });
});

describe('a file that is named', () => {
  const edited = { path: 'src/a.ts', lines: ['export const one = 1;'], selection: { first: 0, last: 0 } };
  const others = new Map([['src/b.ts', ['export const two = 2;']]]);
  const diff = (path: string) =>
    `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-export const two = 2;\n+export const two = 22;`;

  it('is changed in the place of the one in the editor, beside it, or made', () => {
    const text =
      '`src/a.ts`:\n```ts\nexport const one = two();\n```\n`src/b.ts`:\n```ts\nexport const two = 3;\n```\n`src/c.ts`:\n```ts\nexport {};\n```';
    const planned = planEdit({ text, finishReason: 'stop' }, edited, others);
    assert.ok(planned.kind === 'edits', planned.kind);
    assert.deepEqual(
      planned.files.map(({ path, isNew }) => [path, isNew]),
      [
        ['src/a.ts', false],
        ['src/b.ts', false],
        ['src/c.ts', true],
      ],
    );
  });

  it('is named by the header of a diff, too, and no other is changed for it', () => {
    assert.deepEqual(namedPaths(diff('src/b.ts'), true), ['src/b.ts']);
    const planned = planCode(diff('src/b.ts'), edited, 0, others);
    assert.ok(planned.kind === 'edits', planned.kind);
    assert.deepEqual(
      planned.files.map(({ path }) => path),
      ['src/b.ts'],
    );
    const unknown = { kind: 'unresolved', reason: 'unknown-file' };
    assert.deepEqual(planCode(diff('src/d.ts'), { ...edited, lines: ['export const two = 2;'] }, 0), unknown);
  });

  it('becomes a new one of code, or of a diff that makes it; a diff that changes it has no place', () => {
    const made = [{ path: 'src/n.ts', isNew: true, edits: [{ line: 0, removed: 0, inserted: ['x();'] }] }];
    assert.deepEqual(planNewFile('// src/n.ts\nx();\n', 'src/n.ts'), { kind: 'edits', files: made, unplaced: [] });
    const added = '--- /dev/null\n+++ b/src/n.ts\n@@ -0,0 +1 @@\n+x();';
    assert.deepEqual(planNewFile(added, 'src/n.ts'), { kind: 'edits', files: made, unplaced: [] });
    assert.deepEqual(planNewFile(diff('src/n.ts'), 'src/n.ts'), { kind: 'unresolved', reason: 'unknown-file' });
  });
});

describe('replacements', () => {
  const files = new Map([['a.ts', ['one', 'two', 'two', 'three']]]);
  const plan = (oldText: string, newText: string, path = 'a.ts') =>
    planReplacements([{ path, oldText, newText }], files);

  it('take the place of the text that they name, and are new files where there is none', () => {
    const planned = plan('one\n', 'ONE\nmore\n');
    assert.ok(planned.kind === 'edits');
    assert.deepEqual(applyLineEdits(files.get('a.ts') ?? [], planned.files[0]?.edits ?? []), [
      ...['ONE', 'more', 'two', 'two', 'three'],
    ]);
    const made = plan('', 'x\n', 'new.ts');
    assert.ok(made.kind === 'edits');
    assert.deepEqual(made.files, [{ path: 'new.ts', isNew: true, edits: [{ line: 0, removed: 0, inserted: ['x'] }] }]);
  });

  it('have no place where their text is not there, or there twice, or the file is not', () => {
    assert.deepEqual(plan('four', ''), { kind: 'unresolved', reason: 'not-found' });
    assert.deepEqual(plan('two', '2'), { kind: 'unresolved', reason: 'ambiguous' });
    assert.deepEqual(plan('x', 'y', 'none.ts'), { kind: 'unresolved', reason: 'unknown-file' });
  });

  it('are all proposed or none: an agent can mend one that has no place', () => {
    const [good, lost] = [
      { path: 'a.ts', oldText: 'one', newText: 'ONE' },
      { path: 'a.ts', oldText: 'four', newText: '' },
    ];
    assert.equal(planReplacements([good], files).kind, 'edits');
    assert.deepEqual(planReplacements([good, lost], files), { kind: 'unresolved', reason: 'not-found' });
  });

  it('delete lines', () => {
    const planned = plan('two\ntwo', '');
    assert.ok(planned.kind === 'edits');
    assert.deepEqual(applyLineEdits(files.get('a.ts') ?? [], planned.files[0]?.edits ?? []), ['one', 'three']);
  });
});
