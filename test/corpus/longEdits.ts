/** Many changes of a long file, in each form in which models give them. */
import { type EditChange, type EditPlan, planEdit } from '../../src/edits/plan.ts';
import { planMethods } from '../../src/edits/planMethods.ts';

const path = 'src/long.ts';
/** Every so many lines there is a change. */
const step = 60;

export interface LongEdit {
  readonly form: string;
  /** What is changed. */
  readonly file: readonly string[];
  plan(): Promise<EditPlan>;
}

/** Functions of ten lines each, all lines of their own but for the last. */
export function longFile(lineCount: number): string[] {
  return Array.from({ length: lineCount }, (_, at) => {
    if (at % 10 === 0) return `function name${at}(a, b) {`;
    return at % 10 === 9 ? '}' : `  const value${at} = compute(a, b, ${at});`;
  });
}

const constant = (_: string, at: number): string => `export const value${at} = [${at}];`;

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
    return { form, file, plan: () => planMethods.answer({ answer: { text, isCut: false, mayBeCut: false }, files }) };
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
    { form: 'calls of a tool', file, plan: () => planMethods.changes({ changes: calls, files }) },
    answer(
      'functions by name',
      ...[`\`${path}\`:`, '```ts'],
      ...places.flatMap((at) => [...file.slice(at - 4, at + 6).with(4, newForm(at)), '']),
    ),
    anew('the selection anew', file, changes),
    anew('the selection anew, where nothing is declared', file.map(constant), changes),
    answer('whole file in a chat answer', ...[`\`${path}\`:`, '```ts'], ...changedFile(file, changes)),
  ];
}

/** All lines of a file are selected, and the answer has all of them. */
function anew(form: string, lines: readonly string[], changes: number): LongEdit {
  const text = ['```ts', ...changedFile(lines, changes), '```', ''].join('\n');
  const selection = { first: 0, last: lines.length - 1 };
  return { form, file: lines, plan: () => planEdit({ text, finishReason: 'stop' }, { path, lines, selection }) };
}
