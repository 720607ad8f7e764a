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
    history.add([{ line, start: 0, before: texts[line] ?? '', after }]);
    texts[line] = after;
  };
  const undo = (): void => {
    for (const { line, before } of history.undo()) texts[line] = before;
  };
  make(0, 'A');
  make(1, 'B');
  undo();
  assert.deepEqual(texts, ['A', 'b']);
  assert.deepEqual(history.redo(), [{ line: 1, start: 0, before: 'b', after: 'B' }]);
  texts[1] = 'B';
  undo();
  undo();
  assert.deepEqual(texts, ['a', 'b']);
  assert.deepEqual(history.undo(), []);
  make(1, 'C');
  assert.deepEqual(history.redo(), []);
});

test('an edit of a line that has another text by now is not taken back, and those before it are', () => {
  const texts = ['A', 'somebody else wrote this'];
  const history = createEditHistory(inPlace(texts));
  history.add([{ line: 0, start: 0, before: 'a', after: 'A' }]);
  history.add([{ line: 1, start: 0, before: 'b', after: 'B' }]);
  assert.deepEqual(history.undo(), [{ line: 0, start: 0, before: 'a', after: 'A' }]);
});

test('whatever is edited alone or together, undone and redone, undoing all of it gives the texts of the beginning', () => {
  const texts3 = array(tuple(integer({ min: 0, max: 2 }), integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 3 });
  const act = tuple(constantFrom('edit', 'undo', 'redo'), texts3);
  holds(
    property(array(act, { maxLength: 60 }), boolean(), (acts, again) => {
      const texts = ['', '', ''];
      const history = createEditHistory(inPlace(texts));
      const undo = (): number => {
        const taken = history.undo();
        for (const { line, before } of taken) texts[line] = before;
        return taken.length;
      };
      const redo = (): void => {
        for (const { line, after } of history.redo()) texts[line] = after;
      };
      for (const [what, changes] of acts) {
        if (what === 'undo') undo();
        else if (what === 'redo') redo();
        else {
          // Together, each line is edited once.
          const edits = [...new Map(changes)].map(([line, text]) => ({
            line,
            start: 0,
            before: texts[line] ?? '',
            after: `${text}`,
          }));
          history.add(edits);
          for (const { line, after } of edits) texts[line] = after;
        }
      }
      const before = [...texts];
      let steps = 0;
      while (undo() > 0) steps++;
      assert.deepEqual(texts, ['', '', '']);
      if (!again) return;
      for (let step = 0; step < steps; step++) redo();
      assert.deepEqual(texts, before);
    }),
  );
});

test('edits that were made together are taken back together, but for those of lines that have another text', () => {
  const texts = ['a', 'b', 'c'];
  const history = createEditHistory(inPlace(texts));
  const made = ['A', 'B', 'C'].map((after, line) => ({ line, start: 0, before: texts[line] ?? '', after }));
  history.add([{ line: 2, start: 0, before: 'x', after: 'c' }]);
  history.add(made);
  texts.splice(0, 3, 'A', 'other', 'C');
  assert.deepEqual(
    history.undo().map(({ line }) => line),
    [2, 0],
  );
  texts.splice(0, 3, 'a', 'other', 'c');
  assert.deepEqual(
    history.redo().map(({ line }) => line),
    [0, 2],
  );
});

test('of edits that belong together, none are kept for another page where there is no room for all', () => {
  const history = createEditHistory(() => undefined);
  const edits = (count: number) =>
    Array.from({ length: count }, (_, line) => ({ line, start: 0, before: 'a', after: 'b' }));
  history.add(edits(mostKept + 1));
  assert.deepEqual(history.kept().done, []);
  history.add(edits(3));
  assert.equal(history.kept().done.length, 3);
});

test('edits of another page are taken back, also where their lines have moved', () => {
  const texts = ['new', 'A', 'B'];
  const find = ({ start }: { start: number }, text: string) => (texts[start + 1] === text ? start + 1 : undefined);
  const kept = { done: [{ line: 0, start: 0, before: 'a', after: 'A' }], undone: [] };
  const history = createEditHistory(find, kept);
  assert.deepEqual(history.undo(), [{ line: 1, start: 0, before: 'a', after: 'A' }]);
  assert.deepEqual(history.kept(), { done: [], undone: [{ line: 1, start: 0, before: 'a', after: 'A' }] });
});

test('no more edits are kept for another page than it takes, and no more of their texts', () => {
  const history = createEditHistory(() => undefined);
  for (let line = 0; line < 150; line++) history.add([{ line, start: line, before: 'a', after: 'b' }]);
  assert.deepEqual(
    history.kept().done.map(({ line }) => line),
    Array.from({ length: mostKept }, (_, at) => at + 50),
  );
  history.add([{ line: 150, start: 150, before: 'a'.repeat(60_000), after: 'b'.repeat(60_000) }]);
  history.add([{ line: 151, start: 151, before: 'a', after: 'b' }]);
  assert.deepEqual(
    history.kept().done.map(({ line }) => line),
    [151],
  );
});

test('the last twenty thousand edits can be taken back', () => {
  let text = '0';
  const history = createEditHistory((_edit, wanted) => (wanted === text ? 0 : undefined));
  for (let at = 1; at <= 20_500; at++) {
    history.add([{ line: 0, start: 0, before: text, after: `${at}` }]);
    text = `${at}`;
  }
  let undone = 0;
  for (let [edit] = history.undo(); edit !== undefined; [edit] = history.undo()) {
    text = edit.before;
    undone++;
  }
  assert.deepEqual([undone, text], [20_000, '500']);
});
