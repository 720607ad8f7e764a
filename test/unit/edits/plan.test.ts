import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fenced } from '../../../src/base/codeFence.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { applyLineEdits } from '../../../src/edits/place/lines/lineEdit.ts';
import {
  type EditChange,
  type EditPlan,
  namedPaths,
  planAnswer,
  planChanges,
  planCode,
  planEdit,
  planFurther,
  planNewFile,
} from '../../../src/edits/plan.ts';

const document = (lines: readonly string[]) => ({
  path: 'a.ts',
  lines,
  selection: { first: 0, last: lines.length - 1 },
});

/** What an edit of all lines of a file makes of them. */
async function plan(text: string, selected: string[] = ['old'], finishReason = 'stop'): Promise<readonly string[]> {
  const planned = await planEdit({ text, finishReason }, document(selected));
  assert.ok(planned.kind === 'edits', planned.kind);
  const [file] = planned.files;
  assert.deepEqual([file?.path, planned.files.length], ['a.ts', 1]);
  return applyLineEdits(selected, file?.edits ?? []);
}

/** Why parts of an answer have no place. */
function reasons(planned: EditPlan): string[] {
  return planned.kind === 'edits' ? planned.unplaced.map(({ reason }) => reason) : [];
}

function refused(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.kind === kind;
}

describe('the code in an answer', () => {
  it('is the fenced block, without the talk around it', async () => {
    assert.deepEqual(await plan('Here you are:\n\n```ts\nnew\nlines\n```\n\nI renamed it.'), ['new', 'lines']);
  });

  it('is the whole answer where there is no fence, and it is code', async () => {
    assert.deepEqual(await plan('\nnew();\nlines();\n'), ['new();', 'lines();']);
    const words = await planEdit(
      { text: 'I am sorry, but I cannot help with that.', finishReason: 'stop' },
      document(['old']),
    );
    assert.deepEqual(words, { kind: 'nothing', hasWords: true });
    assert.deepEqual(await planEdit({ text: '```\nold\n```', finishReason: 'stop' }, document(['old'])), {
      kind: 'nothing',
      hasWords: false,
    });
  });

  it('is none of several blocks that are as good: each is told', async () => {
    for (const text of ['```\nfirst\n```\nor\n```\nsecond\n```', '```\nfirst\n```\n\n```\nsecond\n```']) {
      const planned = await planEdit({ text, finishReason: 'stop' }, document(['old', 'new', 'more']));
      assert.equal(reasons(planned).length, 2);
      assert.ok(planned.kind === 'edits' && planned.files.length === 0 && planned.unplaced.length === 2);
    }
  });

  it('is none of more blocks than anybody gives for one selection', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `\`\`\`ts\nold${at}(changed);\n\`\`\``).join('\n\n');
    const selected = Array.from({ length: 80 }, (_, at) => `old${at}();`);
    const planned = await planEdit({ text, finishReason: 'stop' }, document(selected));
    assert.ok(planned.kind === 'edits' && planned.files.length === 0);
  });

  it('is read from an answer with CRLF, and from one with tildes', async () => {
    assert.deepEqual(await plan('```ts\r\nnew\r\nlines\r\n```\r\n'), ['new', 'lines']);
    assert.deepEqual(await plan('~~~\nnew\n~~~'), ['new']);
  });

  it('keeps blocks inside a Markdown text that was fenced too short', async () => {
    const inside = ['# Title', '```sh', 'npm start', '```', 'End'];
    assert.deepEqual(await plan(`\`\`\`md\n${inside.join('\n')}\n\`\`\``), inside);
  });

  it('survives the way through a fence, whatever it is', async () => {
    const code = fc.array(fc.constantFrom('a', '', '  b', '```', '````ts', '~~~', '`x`'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(code, async (inside) => {
        const lines = ['first', ...inside, 'last'];
        assert.deepEqual(await plan(`So:\n${fenced(lines.join('\n'), 'md')}\nDone.`, ['x']), lines);
      }),
    );
  });

  it('is nothing when the block is empty: the lines are to be deleted', async () => {
    assert.deepEqual(await plan('```ts\n```'), []);
  });

  it('leaves lines of the selection that it does not name', async () => {
    const selected = ['log(1);', 'work();', 'log(2);'];
    const planned = await planEdit({ text: '```ts\nwork(now);\n```', finishReason: 'stop' }, document(selected));
    assert.ok(planned.kind === 'edits');
    assert.deepEqual(applyLineEdits(selected, planned.files[0]?.edits ?? []), ['log(1);', 'work(now);', 'log(2);']);
  });

  it('is one of the selected functions, and leaves the other alone', async () => {
    const selected = ['function a() {', '  return 1;', '}', '', 'function b() {', '  return 2;', '}'];
    const changed = selected.with(5, '  return 3;');
    assert.deepEqual(await plan('```ts\nfunction b() {\n  return 3;\n}\n```', selected), changed);
  });
});

describe('an answer that must not be applied', () => {
  it('is an empty one', async () => {
    await assert.rejects(() => plan(' \n\n'), refused('malformed'));
  });

  it('is one whose block has no end', async () => {
    const open = (text: string) => () => planEdit({ text }, document(['old']));
    await assert.rejects(open('```ts\nnew\nli'), refused('truncated'));
    await assert.rejects(open('```md\n# Title\n```sh\nnpm start\n```'), refused('truncated'));
    assert.deepEqual(await plan('```ts\nnew\nlines'), ['new', 'lines'], 'a model that said it was done forgot the end');
  });

  it('is one that reached the limit of tokens', async () => {
    await assert.rejects(() => plan('```ts\nnew\n```', ['old'], 'length'), refused('truncated'));
  });

  it('is one that the content filter stopped', async () => {
    await assert.rejects(() => plan('```ts\nnew\n```', ['old'], 'content_filter'), refused('content-filter'));
  });

  it('is none where the model declined, and its words are kept', async () => {
    const declined = { kind: 'declined', message: 'I will not.' };
    await assert.rejects(
      () => planEdit({ text: '', refusal: 'I will not.\n', finishReason: 'stop' }, document(['old'])),
      declined,
    );
  });

  it('is one that leaves out what nobody can tell', async () => {
    const abridged = '```ts\n// ...\nadded();\n// ... rest of the code unchanged\n```';
    const lines = ['first();', 'second();', 'third();'];
    const planned = await planEdit({ text: abridged, finishReason: 'stop' }, document(lines));
    assert.deepEqual([planned.kind === 'edits' && planned.files, reasons(planned)], [[], ['not-found']]);
    assert.deepEqual(await plan('```ts\nfirst();\nadded();\n// ... rest of the code unchanged\n```', lines), [
      ...['first();', 'added();', 'second();', 'third();'],
    ]);
  });
});

describe('the form of the selection', () => {
  it('keeps its indentation when the model took it off', async () => {
    const selected = ['    if (old) {', '      go();', '    }'];
    const answer = '```ts\nif (fresh) {\n  go();\n\n  stop();\n}\n```';
    assert.deepEqual(await plan(answer, selected), ['    if (fresh) {', '      go();', '', '      stop();', '    }']);
    assert.deepEqual(await plan('```ts\nfresh();\n```', ['\told();']), ['\tfresh();']);
  });

  it('is not indented twice when the model kept it and added a line at the border', async () => {
    const selected = ['  first();', '  second();'];
    assert.deepEqual(await plan('```ts\n#if DEBUG\n  first();\n  second();\n```', selected), [
      '#if DEBUG',
      ...selected,
    ]);
  });

  it('keeps its blank lines at both ends, and the end of the file with them', async () => {
    assert.deepEqual(await plan('```ts\n\nnew\n```', ['', 'old', '', '']), ['', 'new', '', '']);
    assert.deepEqual(await plan('```\nnew\n```', ['', '']), ['new']);
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

  it('changes nothing where it was cut off, or may have been', async () => {
    const first = code('src/b.ts', 'const three = 3;');
    const open = `${first}\n\`\`\`ts src/a.ts\nfunction a() {\n  return 2;`;
    const cut = { kind: 'unresolved', reason: 'cut' };
    assert.deepEqual(await planAnswer({ ...whole(first), isCut: true }, files), cut);
    assert.deepEqual(await planAnswer({ ...whole(open), mayBeCut: true }, files), cut);
    assert.equal((await planAnswer({ ...whole(first), mayBeCut: true }, files)).kind, 'edits');
  });

  it('makes a new file below a folder, whatever is called so above it', async () => {
    const known = new Map([
      ['main.go', ['package main', '', 'func main() {', '\trun()', '}']],
      ['package.json', ['{', '  "name": "all"', '}']],
    ]);
    const made = async (text: string) => {
      const plan = await planAnswer(whole(text), known);
      assert.ok(plan.kind === 'edits', plan.kind);
      return plan.files.map(({ path, isNew }) => [path, isNew]);
    };
    const go = code('cmd/tool/main.go', 'package main', '', 'func main() {', '\ttool()', '}');
    assert.deepEqual(await made(`${code('main.go', 'package main', '', 'func main() {', '\trunAll()', '}')}\n${go}`), [
      ['main.go', false],
      ['cmd/tool/main.go', true],
    ]);
    const json = diff('--- /dev/null', '+++ b/packages/foo/package.json', '@@ -0,0 +1,1 @@', '+{ "name": "foo" }');
    assert.deepEqual(await made(json), [['packages/foo/package.json', true]]);
  });

  it('deletes and renames files where a diff says so, beside changes of others', async () => {
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
    const changesOf = async (...lines: string[]) => {
      const planned = await planAnswer(whole(diff(...lines)), files);
      assert.ok(planned.kind === 'edits' && planned.unplaced.length === 0);
      return planned.files.map((file) => [
        file.path,
        file.isDeleted === true ? 'deleted' : (file.renamedTo ?? 'kept'),
        file.edits.length,
      ]);
    };
    const deleted = ['src/a.ts', 'deleted', 0];
    assert.deepEqual(await changesOf(...patch), [['src/b.ts', 'kept', 1], deleted]);
    assert.deepEqual(await changesOf(...kept, ...gone), [['src/b.ts', 'kept', 1], deleted]);
    assert.deepEqual(await changesOf(...renamed, ...kept.slice(1)), [['src/b.ts', 'lib/b.ts', 1]]);
    assert.deepEqual(await changesOf(...moved), [['src/b.ts', 'lib/b.ts', 1]]);
    assert.deepEqual(await changesOf(...gone), [deleted]);
  });

  it('proposes the blocks that have a place, and tells of the others with their text', async () => {
    const block = (path: string, search: string, replace: string): string =>
      `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
    const good = block('src/b.ts', 'const three = 4;', 'const three = 3;');
    const known = new Map([...files, ['src/d.ts', ['twice();', 'twice();']]]);
    const plan = await planAnswer(
      whole(good + block('src/a.ts', 'no such line', 'x') + block('src/d.ts', 'twice();', 'x')),
      known,
    );
    const alone = await planAnswer(whole(good), known);
    assert.ok(plan.kind === 'edits' && alone.kind === 'edits');
    assert.deepEqual(plan.files, alone.files);
    assert.deepEqual(
      plan.unplaced.map(({ path, reason, lines, fresh }) => [path, reason, lines, fresh]),
      [
        ['src/a.ts', 'not-found', ['no such line'], ['x']],
        ['src/d.ts', 'ambiguous', ['twice();'], ['x']],
      ],
    );
    const none = await planAnswer(whole(block('src/a.ts', 'no such line', 'x')), known);
    assert.deepEqual([none.kind === 'edits' && none.files, reasons(none)], [[], ['not-found']]);
  });

  it('proposes all hunks of a file or none', async () => {
    const hunks = ['@@ -1 +1 @@', '-function z() {', '+function y() {', '@@ -9 +9 @@', '-no such line', '+x'];
    const other = ['--- a/src/b.ts', '+++ b/src/b.ts', '@@ -1 +1 @@', '-const three = 4;', '+const three = 3;'];
    const plan = await planAnswer(whole(diff('--- a/src/a.ts', '+++ b/src/a.ts', ...hunks, ...other)), files);
    const alone = await planAnswer(whole(diff(...other)), files);
    assert.ok(plan.kind === 'edits' && alone.kind === 'edits');
    assert.deepEqual([plan.files, reasons(plan)], [alone.files, ['not-found']]);
  });

  it('is read however many thoughts end in it', async () => {
    for (const thought of ['so\n</think>\n', 'so</think>']) {
      const text = `${thought.repeat(40_000)}\n${code('src/b.ts', 'const three = 3;')}`;
      assert.deepEqual(namedPaths(text), ['src/b.ts']);
    }
    // A line separator ends no line of an answer, and no part of it is tried again and again.
    const text = `<think>so</think>${' '.repeat(50_000)}x\u2028y\n${code('src/b.ts', 'const three = 3;')}`;
    assert.deepEqual(namedPaths(text), ['src/b.ts']);
  });

  it('changes each file that it names, and makes those that are not there', async () => {
    const text = `So:\n\n${code('src/a.ts', 'function a() {', '  return 2;', '}')}\n${code('src/b.ts', 'const three = 3;')}\nAnd new:\n\n${code('src/c.ts', 'new();')}`;
    assert.deepEqual(namedPaths(text), ['src/a.ts', 'src/b.ts', 'src/c.ts']);
    const plan = await planAnswer(whole(text), files);
    assert.ok(plan.kind === 'edits', plan.kind);
    const after = plan.files.map(({ path, edits }) => [path, applyLineEdits(files.get(path) ?? [], edits)]);
    assert.deepEqual(after, [
      ['src/a.ts', ['function z() {', '  return 9;', '}', '', 'function a() {', '  return 2;', '}']],
      ['src/b.ts', ['const three = 3;']],
      ['src/c.ts', ['new();']],
    ]);
  });

  it('is words where it has no code', async () => {
    assert.deepEqual(await planAnswer(whole('All is well.'), files), { kind: 'nothing', hasWords: true });
  });
});

describe('a block of code', () => {
  const lines = [
    'import { a } from "./a";',
    '',
    'function one() {',
    '  a();',
    '}',
    '',
    'function two() {',
    '  a();',
    '}',
  ];
  const apply = (code: string, after = 3) => planCode(code, { path: 'a.ts', lines }, after);
  const result = async (code: string, after?: number) => {
    const planned = await apply(code, after);
    assert.ok(planned.kind === 'edits' && planned.files.length === 1, JSON.stringify(planned));
    return applyLineEdits(lines, planned.files[0]?.edits ?? []);
  };

  it('stands behind the declaration of the cursor where it is a new one, and imports go to imports', async () => {
    const three = ['function three() {', '  b();', '}'];
    assert.deepEqual(await result(three.join('\n')), [...lines.slice(0, 5), '', ...three, ...lines.slice(5)]);
    assert.deepEqual(await result("import { b } from './b';"), [
      lines[0],
      "import { b } from './b';",
      ...lines.slice(1),
    ]);
  });

  it('has no place where it is neither, and is asked for', async () => {
    assert.deepEqual(reasons(await apply('three();')), ['not-found']);
    assert.deepEqual(reasons(await apply('<<<<<<< SEARCH\nfour();\n=======\nfive();\n>>>>>>> REPLACE')), ['not-found']);
    assert.deepEqual(reasons(await apply('@@ -4 +4 @@\n-four();\n+five();')), ['not-found']);
  });

  it('is not put in twice under another name', async () => {
    const long = ['function old() {', '  open();', '  read();', '  check();', '  close();', '}'];
    const planned = await planCode(long.with(0, 'function fresh() {').join('\n'), { path: 'a.ts', lines: long }, 0);
    assert.deepEqual(reasons(planned), ['ambiguous']);
  });
});

describe('what the model says when it is asked again', () => {
  const files = new Map([['a.ts', ['one();', 'two();', 'three();']]]);
  const block = (search: string, replace: string): string =>
    `a.ts\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

  it('is placed in the text that the first answer leaves, and both are one change of the file', async () => {
    const first = await planAnswer(
      { text: block('one();', 'first();') + block('gone();', 'x();'), isCut: false, mayBeCut: false },
      files,
    );
    assert.deepEqual(reasons(first), ['not-found']);
    const both = await planFurther({ text: block('first();\ntwo();', 'first();\nsecond();') }, first, files);
    assert.ok(both.kind === 'edits' && both.unplaced.length === 0);
    assert.deepEqual(applyLineEdits(files.get('a.ts') ?? [], both.files[0]?.edits ?? []), [
      'first();',
      'second();',
      'three();',
    ]);
  });

  it('may be calls of a tool, and leaves what was placed as it is where it says nothing', async () => {
    const first = await planAnswer(
      { text: block('one();', 'first();') + block('gone();', 'x();'), isCut: false, mayBeCut: false },
      files,
    );
    const calls: EditChange[] = [{ path: 'a.ts', oldText: 'three();', newText: 'third();' }];
    const both = await planFurther({ changes: calls }, first, files);
    assert.ok(both.kind === 'edits');
    assert.deepEqual(applyLineEdits(files.get('a.ts') ?? [], both.files[0]?.edits ?? []), [
      'first();',
      'two();',
      'third();',
    ]);
    assert.deepEqual(await planFurther({ text: 'I cannot.' }, first, files), first);
  });

  it('is about a file by the name that the first answer gives it', async () => {
    const rename = '```diff\ndiff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n```\n';
    const text = `${rename}${block('gone();', 'x();')}`;
    const first = await planAnswer({ text, isCut: false, mayBeCut: false }, files);
    assert.ok(first.kind === 'edits');
    assert.deepEqual(
      first.unplaced.map(({ path }) => path),
      ['a.ts'],
    );
    const renamed = await planFurther({ text: block('two();', 'second();').replace('a.ts', 'b.ts') }, first, files);
    assert.ok(renamed.kind === 'edits' && renamed.files.length === 1);
    const [file] = renamed.files;
    assert.deepEqual([file?.path, file?.renamedTo, file?.isNew], ['a.ts', 'b.ts', false]);
    assert.deepEqual(applyLineEdits(files.get('a.ts') ?? [], file?.edits ?? []), ['one();', 'second();', 'three();']);
    const unclear = await planFurther({ text: block('none();', 'x();').replace('a.ts', 'b.ts') }, first, files);
    assert.ok(unclear.kind === 'edits');
    assert.deepEqual(
      unclear.unplaced.map(({ path }) => path),
      ['a.ts'],
    );
  });
});

describe('a file that is named', () => {
  const edited = { path: 'src/a.ts', lines: ['export const one = 1;'], selection: { first: 0, last: 0 } };
  const others = new Map([['src/b.ts', ['export const two = 2;']]]);
  const diff = (path: string) =>
    `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-export const two = 2;\n+export const two = 22;`;

  it('is changed in the place of the one in the editor, beside it, or made', async () => {
    const text =
      '`src/a.ts`:\n```ts\nexport const one = two();\n```\n`src/b.ts`:\n```ts\nexport const two = 3;\n```\n`src/c.ts`:\n```ts\nexport {};\n```';
    const planned = await planEdit({ text, finishReason: 'stop' }, edited, others);
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

  it('is named by the header of a diff, too, and no other is changed for it', async () => {
    assert.deepEqual(namedPaths(diff('src/b.ts'), true), ['src/b.ts']);
    const planned = await planCode(diff('src/b.ts'), edited, 0, others);
    assert.ok(planned.kind === 'edits', planned.kind);
    assert.deepEqual(
      planned.files.map(({ path }) => path),
      ['src/b.ts'],
    );
    const lost = await planCode(diff('src/d.ts'), { ...edited, lines: ['export const two = 2;'] }, 0);
    assert.deepEqual([lost.kind === 'edits' && lost.files, reasons(lost)], [[], ['unknown-file']]);
  });

  it('becomes a new one of code, or of a diff that makes it; a diff that changes it has no place', async () => {
    const made = [{ path: 'src/n.ts', isNew: true, edits: [{ line: 0, removed: 0, inserted: ['x();'] }] }];
    assert.deepEqual(await planNewFile('// src/n.ts\nx();\n', 'src/n.ts'), {
      kind: 'edits',
      files: made,
      unplaced: [],
    });
    const added = '--- /dev/null\n+++ b/src/n.ts\n@@ -0,0 +1 @@\n+x();';
    assert.deepEqual(await planNewFile(added, 'src/n.ts'), { kind: 'edits', files: made, unplaced: [] });
    assert.deepEqual(reasons(await planNewFile(diff('src/n.ts'), 'src/n.ts')), ['unknown-file']);
  });
});

describe('changes by a tool', () => {
  const files = new Map([['a.ts', ['one', 'two', 'two', 'three']]]);
  const plan = (...changes: readonly EditChange[]) => planChanges(changes, files);
  const replace = (oldText: string, newText: string, path = 'a.ts'): EditChange => ({ path, oldText, newText });
  const linesAfter = (planned: EditPlan): readonly string[] => {
    assert.ok(planned.kind === 'edits' && planned.unplaced.length === 0, JSON.stringify(planned));
    return applyLineEdits(files.get('a.ts') ?? [], planned.files[0]?.edits ?? []);
  };

  it('take the place of the text that they name, and are new files where there is none', async () => {
    assert.deepEqual(linesAfter(await plan(replace('one\n', 'ONE\nmore\n'))), ['ONE', 'more', 'two', 'two', 'three']);
    const made = { path: 'new.ts', isNew: true, edits: [{ line: 0, removed: 0, inserted: ['x'] }] };
    for (const change of [replace('', 'x\n', 'new.ts'), { path: 'new.ts', content: 'x\n' }]) {
      const planned = await plan(change);
      assert.ok(planned.kind === 'edits');
      assert.deepEqual(planned.files, [made]);
    }
  });

  it('build on each other in their order', async () => {
    assert.deepEqual(linesAfter(await plan(replace('one', 'ONE'), replace('ONE\ntwo', 'ONE\n2'))), [
      'ONE',
      '2',
      'two',
      'three',
    ]);
  });

  it('may begin and end within a line, where the text stands once', async () => {
    assert.deepEqual(linesAfter(await plan(replace('hre', 'HRE'))), ['one', 'two', 'two', 'tHREe']);
    assert.deepEqual(reasons(await plan(replace('two\nt', 'x'))), ['ambiguous']);
  });

  it('have no place where their text is not there, or there twice, or the file is not: each by itself', async () => {
    const [four, two, none] = [replace('four', ''), replace('two', '2'), replace('x', 'y', 'none.ts')];
    const planned = await plan(replace('one', 'ONE'), four, two, none);
    assert.deepEqual(reasons(planned), ['not-found', 'ambiguous', 'unknown-file']);
    assert.ok(planned.kind === 'edits' && planned.files.length === 1);
  });

  it('delete lines, files, and give them another name', async () => {
    assert.deepEqual(linesAfter(await plan(replace('two\ntwo', ''))), ['one', 'three']);
    const planned = await plan({ path: 'a.ts', isDeleted: true });
    assert.ok(planned.kind === 'edits' && planned.files[0]?.isDeleted === true);
    const moved = await plan({ path: 'a.ts', renamedTo: 'b.ts' }, replace('one', 'ONE', 'b.ts'));
    assert.ok(moved.kind === 'edits' && moved.files.length === 1);
    assert.deepEqual([moved.files[0]?.renamedTo, moved.files[0]?.edits.length], ['b.ts', 1]);
  });

  it('give a file anew only with all that it declares', async () => {
    const lines = ['export function a() {', '  return 1;', '}', '', 'export function b() {', '  return 2;', '}'];
    const known = new Map([['c.ts', lines]]);
    const whole = await planChanges([{ path: 'c.ts', content: lines.with(1, '  return 3;').join('\n') }], known);
    assert.ok(whole.kind === 'edits' && whole.files.length === 1);
    const part = await planChanges([{ path: 'c.ts', content: lines.slice(0, 3).join('\n') }], known);
    assert.deepEqual([part.kind === 'edits' && part.files, reasons(part)], [[], ['left-out']]);
  });
});
