import { l10n } from 'vscode';
import type { UnclearBlock } from '../../ask/furtherQuestion.ts';
import { isBlank, isTelling } from '../../place/lines/lineText.ts';

/** The code that a block brings; of one that deletes, the lines that are to go. */
export function codeOf({ lines, fresh = [] }: UnclearBlock): readonly string[] {
  return fresh.some((line) => !isBlank(line)) ? fresh : lines;
}

/** The line by which a block is told from others: one that is new, if any is. */
export function tellingLine(block: UnclearBlock): string {
  const lines = codeOf(block);
  const old = new Set(lines === block.lines ? [] : block.lines.map((line) => line.trim()));
  const isNew = (line: string): boolean => isTelling(line) && !old.has(line.trim());
  return (lines.find(isNew) ?? lines.find((line) => !isBlank(line)) ?? '').trim();
}

/** Why a block has no place. */
export function reasonText({ path, reason }: UnclearBlock): string {
  const sentences: Readonly<Record<UnclearBlock['reason'], string>> = {
    'not-found':
      path === undefined
        ? l10n.t('What it replaces was not found.')
        : l10n.t('{0} does not have what it replaces as the answer quotes it.', path),
    ambiguous: l10n.t('It fits more than one place.'),
    'unknown-file':
      path === undefined ? l10n.t('It does not say which file it is for.') : l10n.t('There is no file {0}.', path),
    empty: l10n.t('It has no code.'),
    broken: l10n.t('It cannot be read, or the file would be broken by it.'),
    'left-out': l10n.t('It leaves out lines that nobody asked to delete, or it is not sure which.'),
  };
  return sentences[reason];
}
