/** Many changes of a long file, in each form in which models give them. */
import type { EditChange, EditPlan } from '../../src/edits/plan.ts';
import { planMethods } from '../../src/edits/planMethods.ts';

const path = 'src/long.ts';
/** Every so many lines there is a change. */
const step = 60;

export interface LongEdit {
  readonly form: string;
  plan(): Promise<EditPlan>;
}

/** Functions of ten lines each, all lines of their own but for the last. */
export function longFile(lineCount: number): string[] {
  return Array.from({ length: lineCount }, (_, at) => {
    if (at % 10 === 0) return `function name${at}(a, b) {`;
    return at % 10 === 9 ? '}' : `  const value${at} = compute(a, b, ${at});`;
  });
}

/** The file after the changes. */
export function changedFile(file: readonly string[], changes: number): string[] {
  return file.map((line, at) => (isChanged(at, changes) ? newForm(at) : line));
}

const isChanged = (at: number, changes: number): boolean => at % step === 4 && at < step * changes;
const newForm = (at: number): string => `  const value${at} = changed(${at});`;

/** @param file of `longFile`; given as it is to each of the plans */
export function longEdits(file: readonly string[], changes: number): LongEdit[] {
  const files = new Map([[path, file]]);
  const places = [...file.keys()].filter((at) => isChanged(at, changes));
  const line = (at: number): string => file[at] ?? '';
  const answer = (form: string, ...lines: readonly string[]): LongEdit => {
    const text = [...lines, '```', ''].join('\n');
    return { form, plan: () => planMethods.answer({ answer: { text, isCut: false, mayBeCut: false }, files }) };
  };
  const block = (search: readonly string[], replace: readonly string[]): string[] => [
    ...['<<<<<<< SEARCH', ...search, '=======', ...replace, '>>>>>>> REPLACE'],
  ];
  const calls = places.map((at): EditChange => ({ path, oldText: line(at), newText: newForm(at) }));
  return [
    answer(
      'unified diff',
      ...['```diff', `--- a/${path}`, `+++ b/${path}`],
      ...places.flatMap((at) => [
        ...[`@@ -${at},3 +${at},3 @@`, ` ${line(at - 1)}`, `-${line(at)}`, `+${newForm(at)}`, ` ${line(at + 1)}`],
      ]),
    ),
    answer(
      'search/replace',
      ...[path, '```'],
      ...places.flatMap((at) => block([line(at - 1), line(at)], [line(at - 1), newForm(at)])),
    ),
    answer(
      'search/replace, the old lines not quite those of the file',
      ...[path, '```'],
      ...places.flatMap((at) => {
        const old = [line(at - 2).replace('compute', 'computed'), ...[-1, 0, 1, 2].map((by) => line(at + by))];
        return block(old, old.with(2, newForm(at)));
      }),
    ),
    { form: 'calls of a tool', plan: () => planMethods.changes({ changes: calls, files }) },
    answer(
      'functions by name',
      ...[`\`${path}\`:`, '```ts'],
      ...places.flatMap((at) => [...file.slice(at - 4, at + 6).with(4, newForm(at)), '']),
    ),
    answer('whole file in a chat answer', ...[`\`${path}\`:`, '```ts'], ...changedFile(file, changes)),
  ];
}
