import { basename, dirname, extname, join } from 'node:path';
import { env, l10n, Uri, workspace } from 'vscode';
import type { Notices } from '../../editor/notices.ts';
import { window } from '../../editor/text/window.ts';
import { type Transcript, toMarkdown, toPlainText } from '../transcript.ts';

/** Asks for a place, next to the recording at first, and writes the transcript there. */
export async function saveTranscript(
  transcript: Transcript,
  recording: Uri,
  format: 'txt' | 'md',
  notices: Notices,
): Promise<void> {
  const { fsPath } = recording;
  const name = `${basename(fsPath, extname(fsPath))}.${format}`;
  const target = await window.showSaveDialog({
    title: l10n.t('Save Translation'),
    defaultUri: Uri.file(join(dirname(fsPath), name)),
    filters: format === 'txt' ? { [l10n.t('Plain text')]: ['txt'] } : { Markdown: ['md'] },
  });
  if (target === undefined) return;
  const date = new Date(transcript.createdAt).toLocaleDateString(env.language, { dateStyle: 'medium' });
  const about =
    transcript.untranslated === undefined
      ? l10n.t('Translated to English by {0}, {1}', transcript.model, date)
      : l10n.t('Transcribed by {0}, {1}, and not translated', transcript.model, date);
  const content = format === 'txt' ? toPlainText(transcript) : toMarkdown(transcript, about);
  try {
    await workspace.fs.writeFile(target, Buffer.from(content));
  } catch {
    void notices.warn(l10n.t('{0} could not be written; pick another place for it.', target.fsPath));
    return;
  }
  void notices.info(l10n.t('{0} is saved.', basename(target.path)), {
    title: l10n.t('Open'),
    command: 'vscode.open',
    arguments: [target],
  });
}
