import { l10n } from 'vscode';
import { findFile } from '../../../editor/files/findFile.ts';
import type { Services } from '../../../editor/services.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import type { EditForm } from '../../ask/editForm.ts';
import {
  askAgainMessages,
  askable,
  type FurtherQuestion,
  furtherTokens,
  type UnclearBlock,
} from '../../ask/furtherQuestion.ts';
import { leftBy, movedRange } from '../../ask/leftLines.ts';
import { readEditCalls } from '../../ask/readEditCalls.ts';
import type { EditPlan } from '../../plan.ts';
import type { Planner } from '../../planner.ts';
import { linesOfAll, openNamed, pathsIn } from '../openNamed.ts';
import type { KnownFile } from '../proposedFiles.ts';
import { checkEnd, type EditWatch, receiveAnswer } from '../receiveAnswer.ts';

/** What asks, and plans. */
export interface PlanParts {
  readonly services: Pick<Services, 'client' | 'connection' | 'notices'>;
  readonly planner: Planner;
  readonly reviews: Parameters<typeof openNamed>[2];
}

/** A plan with changes, or with what has no place. */
export type PlannedEdits = Extract<EditPlan, { readonly kind: 'edits' }>;

/** An answer as it was placed at first. */
export interface FirstPlan {
  readonly plan: PlannedEdits;
  readonly known: ReadonlyMap<string, KnownFile>;
  /** What was asked for; empty where nobody knows. */
  readonly instruction: string;
  readonly form: EditForm;
}

/** What came of asking again. */
export interface FurtherPlan {
  readonly plan: EditPlan;
  readonly known: ReadonlyMap<string, KnownFile>;
  /** How many blocks were asked for again, and what that took. */
  readonly count: number;
  readonly tokens: number;
}

/** Roughly how many tokens it takes to ask again; undefined where there is nothing to ask for. */
export function priceOf(first: FirstPlan): number | undefined {
  const question = questionOf(first);
  return question.blocks.length === 0 ? undefined : furtherTokens(question);
}

/**
 * Asks once more for what has no sure place, each block with the lines of the file that it may be about. Gives the plan of both answers.
 * @throws ServiceError
 */
export async function requestFurther(
  { services, planner, reviews }: PlanParts,
  endpoint: Endpoint,
  first: FirstPlan,
  watch: EditWatch,
): Promise<FurtherPlan> {
  const question = questionOf(first);
  const { form, blocks } = question;
  const count = blocks.length;
  const title = count === 1 ? l10n.t('Asking again for 1 place') : l10n.t('Asking again for {0} places', count);
  const asked = { messages: askAgainMessages(question), form, title };
  const answer = await receiveAnswer(services, endpoint, asked, watch);
  checkEnd(answer.finishReason, endpoint.baseUrl);
  const { changes, odd } = readEditCalls(answer.calls);
  const isCalled = answer.calls.length > 0;
  const named = isCalled ? changes.map(({ path }) => path) : await pathsIn(planner, answer.text);
  const others = await openNamed(
    named.filter((path) => !first.known.has(path)),
    findFile,
    reviews,
  );
  // A file that can only be read stays unknown, and what is for it without a place.
  const known = new Map([...(others instanceof Map ? others : []), ...first.known]);
  const plan = await planner.plan('further', {
    further: {
      text: isCalled ? undefined : answer.text,
      changes: isCalled ? changes : undefined,
    },
    first: first.plan,
    files: linesOfAll(known),
  });
  const isOf = (block: UnclearBlock): boolean => askable(first.plan.unplaced).includes(block);
  const left = first.plan.unplaced.filter((block) => !isOf(block));
  return { plan: withLeft(plan, first.plan, [...left, ...odd]), known, count, tokens: answer.tokens };
}

/** The plan of both answers, with what is without a place still. An answer that has brought nothing leaves all as it was. */
function withLeft(plan: EditPlan, first: PlannedEdits, left: readonly UnclearBlock[]): EditPlan {
  if (plan.kind !== 'edits') return first;
  const hasMore = JSON.stringify(plan.files) !== JSON.stringify(first.files);
  return hasMore ? { ...plan, unplaced: [...plan.unplaced, ...left] } : first;
}

/** Selections that were to be written anew have no form for a part, so blocks are asked for. */
function questionOf({ plan, known, instruction, form }: FirstPlan): FurtherQuestion {
  const blocks = askable(plan.unplaced).map((block) => {
    const file = plan.files.find(({ path }) => path === block.path);
    if (file === undefined) return block;
    const near = block.near === undefined ? undefined : movedRange(block.near, file.edits);
    return { ...block, path: file.renamedTo ?? file.path, near };
  });
  const files = leftBy(plan.files, linesOfAll(known));
  return { blocks, files, instruction, form: form === 'tool' ? 'tool' : 'blocks' };
}
