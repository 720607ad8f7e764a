import { l10n } from 'vscode';
import type { Notices } from '../../editor/notices.ts';
import { applyProposal } from './proposal.ts';
import type { Refusals } from './refusals.ts';
import type { Review } from './review.ts';

/** Apply: puts the proposal that is shown into its document, once, however often it is called. */
export function createApply(notices: Notices, review: Review, refusals: Refusals): () => Promise<void> {
  let isApplying = false;
  return async () => {
    const { proposal } = review;
    if (proposal === undefined) {
      void notices.info(l10n.t('There is no edit to apply.'));
      return;
    }
    if (isApplying) return;
    isApplying = true;
    try {
      const outcome = await applyProposal(proposal);
      if (outcome === 'applied') await review.clear();
      else if (outcome === 'changed') refusals.changed(proposal.lines, proposal.instruction);
      else refusals.readOnly(proposal.lines.document);
    } finally {
      isApplying = false;
    }
  };
}
