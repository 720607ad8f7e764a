import { l10n, type Uri } from 'vscode';
import { Command } from '../../../ids/ids.ts';
import { identify } from '../../recording/recording.ts';
import type { AudioParts } from '../audioServices.ts';
import { pickTranscript } from '../transcript/pickTranscript.ts';
import { toUris } from './translateCommand.ts';

/** Shows the saved translation of a recording; without one, lets the user pick from all. */
export async function openTranslation(
  uri: unknown,
  { journal, panels, decorations, services }: AudioParts,
): Promise<void> {
  const [wanted] = toUris(uri);
  if (wanted !== undefined) {
    const file = await identify(wanted.fsPath);
    const saved = file === undefined ? undefined : await journal.find(file);
    if (saved !== undefined) panels.show(saved, wanted.fsPath);
    else void services.notices.info(l10n.t('This recording is not translated yet.'), translateAction(wanted));
    return;
  }
  const all = await journal.list();
  if (all.length === 0) {
    void services.notices.info(l10n.t('No recording is translated yet.'), translateAction());
    return;
  }
  const picked = await pickTranscript(all, async ({ sha256 }) => {
    await journal.remove(sha256);
    decorations.refresh(undefined);
  });
  if (picked !== undefined) panels.show(picked, picked.path);
}

const translateAction = (uri?: Uri) => ({
  title: l10n.t('Translate'),
  command: Command.audioTranslate,
  arguments: uri === undefined ? [] : [uri, [uri]],
});
