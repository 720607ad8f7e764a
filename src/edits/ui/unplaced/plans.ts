import type { Services } from '../../../editor/services.ts';
import type { FileEdit, Unresolved } from '../../answer/resolution.ts';
import type { EditForm } from '../../ask/editForm.ts';
import type { CalledChange } from '../../ask/editTool.ts';
import type { UnclearBlock } from '../../ask/furtherQuestion.ts';
import { applyLineEdits } from '../../place/lineEdit.ts';
import type { EditAnswer, EditedDocument, EditPlan, Files, WholeAnswer } from '../../plan.ts';
import type { Planner } from '../../planner.ts';
import { refineEdits } from '../../refineEdits.ts';

export type PlannedEdits = {
  readonly kind: 'edits';
  readonly files: readonly (FileEdit & { readonly isDeleted?: boolean; readonly renamedTo?: string })[];
  readonly unplaced: readonly UnclearBlock[];
};
export type AnswerPlan =
  | PlannedEdits
  | { readonly kind: 'nothing'; readonly hasWords: boolean }
  | { readonly kind: 'unresolved'; readonly reason: Unresolved };

/** ADAPTER: what the planner will offer. */
export interface Plans {
  edit(given: {
    answer: EditAnswer;
    document: EditedDocument;
    others: Files;
    form: EditForm;
    instruction: string;
  }): Promise<AnswerPlan>;
  code(given: { code: string; document: EditedDocument; after: number; others: Files }): Promise<AnswerPlan>;
  answer(given: { answer: WholeAnswer; files: Files; instruction: string }): Promise<AnswerPlan>;
  changes(given: { changes: readonly CalledChange[]; files: Files; isStrict?: boolean }): Promise<AnswerPlan>;
  further(given: {
    text: string | undefined;
    changes: readonly CalledChange[] | undefined;
    first: AnswerPlan;
    files: Files;
  }): Promise<AnswerPlan>;
}

/** What asks, and plans. */
export interface PlanParts {
  readonly services: Pick<Services, 'client' | 'connection' | 'notices'>;
  readonly planner: Planner;
  readonly plans: Plans;
}

export function createPlans(planner: Planner): Plans {
  const adapt = (plan: EditPlan, lines: readonly string[], path?: string): AnswerPlan => {
    if (plan.kind === 'nothing') return plan;
    if (plan.kind === 'unresolved') {
      if (plan.reason === 'cut') return plan;
      return {
        kind: 'edits',
        files: [],
        unplaced: [{ path, reason: plan.reason === 'removed' ? 'broken' : plan.reason, lines }],
      };
    }
    return {
      ...plan,
      unplaced: plan.unplaced.map((each) => ({
        ...each,
        reason: each.reason === 'removed' || each.reason === 'cut' ? 'broken' : each.reason,
      })),
    };
  };
  const split = (text: string): string[] => text.split(/\r\n|\r|\n/);
  const changes: Plans['changes'] = async ({ changes: given, files }) => {
    const replacements = given.flatMap((each) =>
      'oldText' in each ? [each] : 'content' in each ? [{ path: each.path, oldText: '', newText: each.content }] : [],
    );
    const unplaced: UnclearBlock[] = [];
    const found: FileEdit[] = [];
    for (const each of replacements) {
      const plan = adapt(
        await planner.plan('replacements', { replacements: [each], files }),
        split(each.oldText),
        each.path,
      );
      if (plan.kind !== 'edits') continue;
      unplaced.push(...plan.unplaced);
      for (const file of plan.files) {
        const before = found.find(({ path }) => path === file.path);
        if (before === undefined) found.push(file);
        else (before.edits as unknown[]).push(...file.edits);
      }
    }
    return found.length + unplaced.length === 0
      ? { kind: 'nothing', hasWords: false }
      : { kind: 'edits', files: found, unplaced };
  };
  return {
    edit: async ({ answer, document, others }) =>
      adapt(await planner.plan('edit', { answer, document, others }), split(answer.text), document.path),
    code: async (given) => adapt(await planner.plan('code', given), split(given.code), given.document.path),
    answer: async ({ answer, files }) => adapt(await planner.plan('answer', { answer, files }), split(answer.text)),
    changes,
    async further({ text, changes: called, first, files }) {
      const before = first.kind === 'edits' ? first.files : [];
      const left = new Map(files);
      for (const { path, edits } of before) left.set(path, applyLineEdits(files.get(path) ?? [], edits));
      const next =
        called === undefined
          ? adapt(
              await planner.plan('answer', {
                answer: { text: text ?? '', isCut: false, mayBeCut: false },
                files: left,
              }),
              split(text ?? ''),
            )
          : await changes({ changes: called, files: left });
      if (next.kind !== 'edits') return first;
      for (const { path, edits, isNew } of next.files)
        left.set(path, isNew ? (edits[0]?.inserted ?? []) : applyLineEdits(left.get(path) ?? [], edits));
      const paths = [...new Set([...before, ...next.files].map(({ path }) => path))];
      const joined = paths.map((path): FileEdit => {
        const [old, now] = [files.get(path), left.get(path) ?? []];
        if (old === undefined) return { path, isNew: true, edits: [{ line: 0, removed: 0, inserted: now }] };
        return { path, isNew: false, edits: refineEdits(old, [{ line: 0, removed: old.length, inserted: now }]) };
      });
      return { kind: 'edits', files: joined, unplaced: next.unplaced };
    },
  };
}
