import { l10n } from 'vscode';
import type { Unplaced } from '../answer/resolution.ts';
import { isBlank, isTelling } from '../place/lines/lineText.ts';

/** How many of the parts are named, and how much of a line is shown, in characters: the answer itself has the rest. */
const [mostNamed, longestLine] = [2, 60];

/** Which parts of an answer are not proposed, and why. */
export function unplacedText(unplaced: readonly Unplaced[]): string {
  const reasons = unplaced.slice(0, mostNamed).map(reasonText).join(' ');
  return l10n.t('Changes of the answer that are not proposed: {0}. {1}', unplaced.length, reasons);
}

function reasonText({ path = '', reason, lines }: Unplaced): string {
  const told = (lines.find(isTelling) ?? lines.find((line) => !isBlank(line)) ?? '').trim();
  const line = told.length > longestLine ? `${told.slice(0, longestLine)}…` : told;
  const sentences: Readonly<Record<Unplaced['reason'], string>> = {
    'not-found': l10n.t('{0} does not have “{1}” as the answer quotes it.', path, line),
    ambiguous: l10n.t('It is not sure which “{1}” of {0} is meant.', path, line),
    'unknown-file': l10n.t('It is not sure which file “{0}” belongs to.', line),
    empty: l10n.t('A block of code in the model’s answer is empty.'),
    'left-out': l10n.t('“{1}” leaves out lines of {0} that nobody asked to delete.', path, line),
    broken: l10n.t('{0} would be broken by “{1}”.', path, line),
  };
  return sentences[reason];
}
