import { type TextDocument, type Uri, workspace } from 'vscode';
import { findFile } from '../../../editor/files/findFile.ts';
import type { FormOutcome } from '../../../service/compat/fieldMemory.ts';
import { askable } from '../../ask/furtherQuestion.ts';
import { readEditCalls } from '../../ask/readEditCalls.ts';
import type { EditedDocument, EditPlan } from '../../plan.ts';
import type { AskedEdit } from '../editRequest.ts';
import { linesOfAll, openNamed, pathsIn } from '../openNamed.ts';
import type { KnownFile } from '../proposedFiles.ts';
import type { EditWatch } from '../receiveAnswer.ts';
import { type FurtherPlan, type PlanParts, requestFurther } from './furtherRequest.ts';

/** What an answer wants, and the files that it is about. */
export interface PlacedAnswer {
  readonly plan: EditPlan;
  readonly known: ReadonlyMap<string, KnownFile>;
  /** What it took to ask again, where that was needed. */
  readonly further?: Pick<FurtherPlan, 'count' | 'tokens'>;
  /** Why asking again failed: what has a place is there nevertheless. */
  readonly failure?: unknown;
}

/** The edit that an answer is for. */
export interface PlaceFor {
  readonly edited: EditedDocument;
  readonly uri: Uri;
  readonly instruction: string;
}

/**
 * Finds out what an answer changes, asks once more for what has no sure place, and remembers how well the model did with the form.
 * The document instead, where the answer names one that can only be read.
 * @throws ServiceError for an answer that cannot be used
 */
export async function placeAnswer(
  parts: PlanParts,
  asked: AskedEdit,
  { edited, uri, instruction }: PlaceFor,
  watch: EditWatch,
): Promise<PlacedAnswer | TextDocument> {
  const { endpoint, form } = asked;
  const first = await planFirst(parts, asked, { edited, uri, instruction });
  if (!('plan' in first)) return first;
  const { plan } = first;
  const outcome = outcomeOf(asked, plan);
  if (outcome !== undefined) parts.services.client.memory.noteForm(endpoint.baseUrl, endpoint.model, form, outcome);
  // Lines around those of the selection would be sent.
  if (plan.kind !== 'edits' || askable(plan.unplaced).length === 0 || !workspace.isTrusted) return first;
  try {
    const unclear = { plan, known: first.known, instruction, form };
    const { count, tokens, ...placed } = await requestFurther(parts, endpoint, unclear, watch);
    return { ...placed, further: { count, tokens } };
  } catch (failure) {
    return { ...first, failure };
  }
}

async function planFirst(
  { planner, reviews }: PlanParts,
  { answer }: AskedEdit,
  { edited, uri, instruction }: PlaceFor,
): Promise<PlacedAnswer | TextDocument> {
  const { changes, odd } = readEditCalls(answer.calls);
  const isCalled = answer.calls.length > 0;
  const named = isCalled ? changes.map(({ path }) => path) : await pathsIn(planner, answer.text);
  // Only the selection is read in Restricted Mode.
  const others = await openNamed(workspace.isTrusted ? [...new Set(named)] : [], findFile, reviews);
  if (!(others instanceof Map)) return others;
  const known = new Map([...others, [edited.path, { uri, lines: edited.lines, isChosen: true }] as const]);
  if (!isCalled) {
    const plan = await planner.plan('edit', { answer, document: edited, others: linesOfAll(others), instruction });
    return { plan, known };
  }
  const { path, selection } = edited;
  const near = selection === undefined ? {} : { near: { path, selection } };
  const plan = await planner.plan('changes', {
    changes,
    files: linesOfAll(known),
    ...near,
  });
  if (odd.length === 0 || plan.kind === 'unresolved') return { plan, known };
  const read = plan.kind === 'edits' ? plan : { kind: 'edits' as const, files: [], unplaced: [] };
  return { plan: { ...read, unplaced: [...read.unplaced, ...odd] }, known };
}

/** How well a model did with a form; undefined where the answer does not tell, such as one in words. */
function outcomeOf({ form, answer }: AskedEdit, plan: EditPlan): FormOutcome | undefined {
  if (plan.kind !== 'edits') return undefined;
  if (form === 'tool' && answer.calls.length === 0) return 'failed';
  return plan.unplaced.length === 0 ? 'worked' : 'failed';
}
