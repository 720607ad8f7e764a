import type { FileEdit } from './answer/resolution.ts';
import {
  type EditAnswer,
  type EditedDocument,
  type EditPlan,
  namedPaths,
  planAnswer,
  planCode,
  planEdit,
  planReplacements,
  type Replacement,
  type WholeAnswer,
} from './plan.ts';
import { refineEdits } from './refineEdits.ts';

type Files = ReadonlyMap<string, readonly string[]>;

/** What can be planned, by the names and shapes in which a thread is asked for it. */
export type PlanMethods = {
  edit: { params: { answer: EditAnswer; document: EditedDocument }; result: EditPlan };
  code: { params: { code: string; document: EditedDocument; after: number }; result: EditPlan };
  answer: { params: { answer: WholeAnswer; files: Files }; result: EditPlan };
  replacements: { params: { replacements: readonly Replacement[]; files: Files }; result: EditPlan };
  /** `namedPaths`, which has to be known before an answer is planned. */
  paths: { params: { text: string }; result: readonly string[] };
};

/** The same plans as plan.ts has, with a line edit for each run of lines that changes. */
export const planMethods: {
  readonly [Name in keyof PlanMethods]: (params: PlanMethods[Name]['params']) => PlanMethods[Name]['result'];
} = {
  edit: ({ answer, document }) => refined(planEdit(answer, document), filesOf(document)),
  code: ({ code, document, after }) => refined(planCode(code, document, after), filesOf(document)),
  answer: ({ answer, files }) => refined(planAnswer(answer, files), files),
  replacements: ({ replacements, files }) => refined(planReplacements(replacements, files), files),
  paths: ({ text }) => namedPaths(text),
};

function filesOf({ path, lines }: EditedDocument): Files {
  return new Map([[path, lines]]);
}

function refined(plan: EditPlan, files: Files): EditPlan {
  if (plan.kind !== 'edits') return plan;
  const refine = (file: FileEdit): FileEdit => {
    const lines = files.get(file.path);
    return lines === undefined ? file : { ...file, edits: refineEdits(lines, file.edits) };
  };
  return { ...plan, files: plan.files.map(refine) };
}
