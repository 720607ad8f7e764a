import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, boolean, constantFrom, assert as holds, integer, property, tuple } from 'fast-check';
import { createEditHistory, mostKept } from '../../../src/webview/transcript/lines/editHistory.ts';

/** Finds the line of an edit by its number. */
const inPlace =
  (texts: readonly string[]) =>
  ({ line }: { line: number }, text: string): number | undefined =>
    texts[line] === text ? line : undefined;

test('edits are taken back one after the other, and made again; a new one ends what could be made again', () => {
  const texts = ['a', 'b'];
  const history = createEditHistory(inPlace(texts));
  const make = (line: number, after: string): void => {
    history.add({ line, start: 0, before: texts[line] ?? '', after });
    texts[line] = after;
  };
  const undo = (): void => {
    const { line = -1, before = '' } = history.undo() ?? {};
    texts[line] = before;
  };
  make(0, 'A');
  make(1, 'B');
  undo();
  assert.deepEqual(texts, ['A', 'b']);
  assert.deepEqual(history.redo(), { line: 1, start: 0, before: 'b', after: 'B' });
  texts[1] = 'B';
  undo();
  undo();
  assert.deepEqual(texts, ['a', 'b']);
  assert.equal(history.undo(), undefined);
  make(1, 'C');
  assert.equal(history.redo(), undefined);
});

test('an edit of a line that has another text by now is not taken back, and those before it are', () => {
  const texts = ['A', 'somebody else wrote this'];
  const history = createEditHistory(inPlace(texts));
  history.add({ line: 0, start: 0, before: 'a', after: 'A' });
  history.add({ line: 1, start: 0, before: 'b', after: 'B' });
  assert.deepEqual(history.undo(), { line: 0, start: 0, before: 'a', after: 'A' });
});

test('whatever is edited, undone and redone, undoing all of it gives the texts of the beginning', () => {
  const act = tuple(constantFrom('edit', 'undo', 'redo'), integer({ min: 0, max: 2 }), integer({ min: 0, max: 9 }));
  holds(
    property(array(act, { maxLength: 60 }), boolean(), (acts, again) => {
      const texts = ['', '', ''];
      const history = createEditHistory(inPlace(texts));
      for (const [what, line, text] of acts) {
        if (what === 'edit') {
          history.add({ line, start: 0, before: texts[line] ?? '', after: `${text}` });
          texts[line] = `${text}`;
          continue;
        }
        const taken = what === 'undo' ? history.undo() : history.redo();
        if (taken !== undefined) texts[taken.line] = what === 'undo' ? taken.before : taken.after;
      }
      const before = [...texts];
      const undone: (typeof texts)[] = [];
      for (let edit = history.undo(); edit !== undefined; edit = history.undo()) {
        undone.push([...texts]);
        texts[edit.line] = edit.before;
      }
      assert.deepEqual(texts, ['', '', '']);
      if (!again || undone.length === 0) return;
      for (const _ of undone) {
        const edit = history.redo();
        if (edit !== undefined) texts[edit.line] = edit.after;
      }
      assert.deepEqual(texts, before);
    }),
  );
});

test('edits of another page are taken back, also where their lines have moved', () => {
  const texts = ['new', 'A', 'B'];
  const find = ({ start }: { start: number }, text: string) => (texts[start + 1] === text ? start + 1 : undefined);
  const kept = { done: [{ line: 0, start: 0, before: 'a', after: 'A' }], undone: [] };
  const history = createEditHistory(find, kept);
  assert.deepEqual(history.undo(), { line: 1, start: 0, before: 'a', after: 'A' });
  assert.deepEqual(history.kept(), { done: [], undone: [{ line: 1, start: 0, before: 'a', after: 'A' }] });
});

test('no more edits are kept for another page than it takes, and no more of their texts', () => {
  const history = createEditHistory(() => undefined);
  for (let line = 0; line < 150; line++) history.add({ line, start: line, before: 'a', after: 'b' });
  assert.deepEqual(
    history.kept().done.map(({ line }) => line),
    Array.from({ length: mostKept }, (_, at) => at + 50),
  );
  history.add({ line: 150, start: 150, before: 'a'.repeat(60_000), after: 'b'.repeat(60_000) });
  history.add({ line: 151, start: 151, before: 'a', after: 'b' });
  assert.deepEqual(
    history.kept().done.map(({ line }) => line),
    [151],
  );
});

test('a thousand edits can be taken back', () => {
  let text = '0';
  const history = createEditHistory((_edit, wanted) => (wanted === text ? 0 : undefined));
  for (let at = 1; at <= 1500; at++) {
    history.add({ line: 0, start: 0, before: text, after: `${at}` });
    text = `${at}`;
  }
  let undone = 0;
  for (let edit = history.undo(); edit !== undefined; edit = history.undo()) {
    text = edit.before;
    undone++;
  }
  assert.deepEqual([undone, text], [1000, '500']);
});
