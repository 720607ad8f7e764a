import type { FileEdit } from './answer/resolution.ts';
import {
  type EditAnswer,
  type EditedDocument,
  type EditPlan,
  type Files,
  filesOf,
  namedPaths,
  planAnswer,
  planCode,
  planEdit,
  planNewFile,
  planReplacements,
  type Replacement,
  type WholeAnswer,
} from './plan.ts';
import { refineEdits } from './refineEdits.ts';

/** What can be planned, by the names and shapes in which a thread is asked for it. */
export type PlanMethods = {
  edit: { params: { answer: EditAnswer; document: EditedDocument; others?: Files }; result: EditPlan };
  code: { params: { code: string; document: EditedDocument; after: number; others?: Files }; result: EditPlan };
  newFile: { params: { code: string; path: string }; result: EditPlan };
  answer: { params: { answer: WholeAnswer; files: Files }; result: EditPlan };
  replacements: { params: { replacements: readonly Replacement[]; files: Files }; result: EditPlan };
  /** `namedPaths`, which has to be known before an answer is planned. */
  paths: { params: { text: string; isCode?: boolean }; result: readonly string[] };
};

/** The same plans as plan.ts has, with a line edit for each run of lines that changes. */
export const planMethods: {
  readonly [Name in keyof PlanMethods]: (params: PlanMethods[Name]['params']) => PlanMethods[Name]['result'];
} = {
  edit: ({ answer, document, others }) => refined(planEdit(answer, document, others), filesOf(document, others)),
  code: ({ code, document, after, others }) =>
    refined(planCode(code, document, after, others), filesOf(document, others)),
  newFile: ({ code, path }) => planNewFile(code, path),
  answer: ({ answer, files }) => refined(planAnswer(answer, files), files),
  replacements: ({ replacements, files }) => refined(planReplacements(replacements, files), files),
  paths: ({ text, isCode }) => namedPaths(text, isCode),
};

function refined(plan: EditPlan, files: Files): EditPlan {
  if (plan.kind !== 'edits') return plan;
  const refine = (file: FileEdit): FileEdit => {
    const lines = files.get(file.path);
    return lines === undefined ? file : { ...file, edits: refineEdits(lines, file.edits) };
  };
  return { ...plan, files: plan.files.map(refine) };
}
