import { l10n } from 'vscode';
import type { Unplaced } from '../answer/resolution.ts';
import { isBlank, isTelling } from '../place/lineText.ts';

/** How many of the parts are named, and how much of a line is shown, in characters: the answer itself has the rest. */
const [mostNamed, longestLine] = [2, 60];

/** Which parts of an answer are not proposed, and why. */
export function unplacedText(unplaced: readonly Unplaced[]): string {
  const reasons = unplaced.slice(0, mostNamed).map(reasonText).join(' ');
  return l10n.t('Changes of the answer that are not proposed: {0}. {1}', unplaced.length, reasons);
}

function reasonText({ path, reason, lines }: Unplaced): string {
  const told = (lines.find(isTelling) ?? lines.find((line) => !isBlank(line)) ?? '').trim();
  const line = told.length > longestLine ? `${told.slice(0, longestLine)}…` : told;
  if (reason === 'removed') return l10n.t('Parley does not delete or rename {0}.', path);
  if (reason === 'not-found') return l10n.t('{0} does not have “{1}” as the answer quotes it.', path, line);
  return l10n.t('It is not sure which “{1}” of {0} is meant.', path, line);
}
