import { l10n } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { Command } from '../../../ids/ids.ts';
import type { ReviewFinding } from '../../findings/reviewFinding.ts';

/** How many names a message holds. */
const mostNames = 10;

/**
 * Says how a review ended.
 * @param left files that changed and were not reviewed
 * @param unread an answer that holds words, and no finding
 */
export async function sayEnd(
  notices: Notices,
  findings: readonly ReviewFinding[],
  left: readonly string[],
  unread: string | undefined,
): Promise<void> {
  const names = [...new Set(left)];
  const more = names.length > mostNames ? ` ${l10n.t('and {0} more', names.length - mostNames)}` : '';
  const end = names.length === 0 ? '' : ` ${l10n.t('Not reviewed: {0}', names.slice(0, mostNames).join(', '))}${more}`;
  if (findings.length > 0) {
    const show = { title: l10n.t('Show Comments'), command: 'workbench.action.focusCommentsPanel' };
    return notices.info(`${findingsText(findings)}.${end}`, show);
  }
  if (unread === undefined) return notices.info(`${l10n.t('The model found nothing to remark.')}${end}`);
  const show = { title: l10n.t('Show Answer'), command: Command.editShowAnswer, arguments: [unread] };
  return notices.warn(`${l10n.t('The model’s answer names no lines of the changes.')}${end}`, show);
}

/** `5 findings in 3 files` */
export function findingsText(findings: readonly ReviewFinding[]): string {
  const files = new Set(findings.map(({ path }) => path)).size;
  if (findings.length === 1) return l10n.t('1 finding');
  return files === 1
    ? l10n.t('{0} findings in 1 file', findings.length)
    : l10n.t('{0} findings in {1} files', findings.length, files);
}
