import { l10n } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import { nameOf } from '../documentNames.ts';
import type { TrackedLines } from '../trackedLines.ts';

/** Asks for the change to make; undefined when the user leaves. */
export async function askInstruction({ document, range }: TrackedLines, value: string): Promise<string | undefined> {
  const { first, last } = range;
  const typed = await window.showInputBox({
    title: l10n.t('Edit With Instruction'),
    prompt:
      first === last
        ? l10n.t('What to change in line {0} of {1}', first + 1, nameOf(document))
        : l10n.t('What to change in lines {0} to {1} of {2}', first + 1, last + 1, nameOf(document)),
    placeHolder: l10n.t('For example: return early when the list is empty'),
    value,
  });
  return typed === undefined || typed.trim() === '' ? undefined : typed.trim();
}
