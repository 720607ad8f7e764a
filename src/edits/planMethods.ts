import type { LineRange } from '../base/lines.ts';
import type { FileEdit } from './answer/resolution.ts';
import {
  type EditAnswer,
  type EditChange,
  type EditedDocument,
  type EditPlan,
  type Files,
  type FurtherAnswer,
  filesOf,
  namedPaths,
  planAnswer,
  planChanges,
  planCode,
  planEdit,
  planFurther,
  planNewFile,
  type WholeAnswer,
} from './plan.ts';
import { refineEdits } from './refineEdits.ts';

/** What can be planned, by the names and shapes in which a thread is asked for it. */
export type PlanMethods = {
  edit: {
    params: { answer: EditAnswer; document: EditedDocument; others?: Files; instruction?: string };
    result: EditPlan;
  };
  code: { params: { code: string; document: EditedDocument; after: number; others?: Files }; result: EditPlan };
  newFile: { params: { code: string; path: string }; result: EditPlan };
  answer: { params: { answer: WholeAnswer; files: Files; instruction?: string }; result: EditPlan };
  changes: {
    params: { changes: readonly EditChange[]; files: Files; near?: { path: string; selection: LineRange } };
    result: EditPlan;
  };
  /** `planFurther`: a plan with what the model said when it was asked again. */
  further: { params: { further: FurtherAnswer; first: EditPlan; files: Files }; result: EditPlan };
  /** `namedPaths`, which has to be known before an answer is planned. */
  paths: { params: { text: string; isCode?: boolean }; result: readonly string[] };
};

/** The same plans as plan.ts has, with a line edit for each run of lines that changes. */
export const planMethods: {
  readonly [Name in keyof PlanMethods]: (params: PlanMethods[Name]['params']) => Promise<PlanMethods[Name]['result']>;
} = {
  edit: async ({ answer, document, others, instruction }) =>
    refined(await planEdit(answer, document, others, instruction), filesOf(document, others)),
  code: async ({ code, document, after, others }) =>
    refined(await planCode(code, document, after, others), filesOf(document, others)),
  newFile: ({ code, path }) => planNewFile(code, path),
  answer: async ({ answer, files, instruction }) => refined(await planAnswer(answer, files, instruction), files),
  changes: async ({ changes, files, near }) => refined(await planChanges(changes, files, false, near), files),
  further: async ({ further, first, files }) => refined(await planFurther(further, first, files), files),
  paths: async ({ text, isCode }) => namedPaths(text, isCode),
};

function refined(plan: EditPlan, files: Files): EditPlan {
  if (plan.kind !== 'edits') return plan;
  const refine = (file: FileEdit): FileEdit => {
    const lines = files.get(file.path);
    return lines === undefined ? file : { ...file, edits: refineEdits(lines, file.edits) };
  };
  return { ...plan, files: plan.files.map(refine) };
}
