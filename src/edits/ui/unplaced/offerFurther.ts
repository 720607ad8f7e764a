import { env, l10n, workspace } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import { askable } from '../../ask/furtherQuestion.ts';
import type { EditPlan } from '../../plan.ts';
import type { KnownFile } from '../proposedFiles.ts';
import { type PlanParts, priceOf, requestFurther } from './furtherRequest.ts';

/** A plan, and the files that it is about. */
interface Offered {
  readonly plan: EditPlan;
  readonly known: ReadonlyMap<string, KnownFile>;
  /** How many blocks the model was asked for, and what that took. */
  readonly count?: number;
  readonly tokens?: number;
  /** The user wants to see what has no place. */
  readonly wantsList?: boolean;
}

/**
 * Asks the user whether the model is to say where the blocks of an answer belong that have no sure place, and for how much; then asks the
 * model. The plan stays as it is where the user does not want it, or stops it, or it fails.
 */
export async function offerFurther(
  parts: PlanParts,
  plan: EditPlan,
  known: ReadonlyMap<string, KnownFile>,
): Promise<Offered> {
  const { connection, notices } = parts.services;
  if (plan.kind !== 'edits' || !workspace.isTrusted) return { plan, known };
  const first = { plan, known, instruction: '', form: 'blocks' as const };
  const price = priceOf(first);
  if (price === undefined || (await connection.missing('chat')) !== undefined) return { plan, known };
  const tokens = price.toLocaleString(env.language, { maximumSignificantDigits: 2 });
  const { length } = askable(plan.unplaced);
  const sentence =
    length === 1
      ? l10n.t('The place of 1 block is not sure. Ask the model for it? About {0} tokens.', tokens)
      : l10n.t('The places of {0} blocks are not sure. Ask the model for them? About {1} tokens.', length, tokens);
  const [ask, showUnplaced] = [l10n.t('Ask'), l10n.t('Show Unplaced')];
  const chosen = await window.showWarningMessage(sentence, ask, showUnplaced);
  if (chosen !== ask) return { plan, known, wantsList: chosen === showUnplaced };
  try {
    const endpoint = await connection.endpoint('chat');
    const watch = { stop: new AbortController().signal, onAnswer: () => {}, onLines: () => {} };
    return await requestFurther(parts, endpoint, first, watch);
  } catch (error) {
    void notices.error(error);
    return { plan, known };
  }
}
