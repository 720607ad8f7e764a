import { env, l10n } from 'vscode';
import { describeForLog } from '../../../../editor/log.ts';
import type { Services } from '../../../../editor/services.ts';
import { window } from '../../../../editor/text/window.ts';
import type { FromTranscriptPanel } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { editSegment, findSegment } from '../../../transcript/editTranscript.ts';
import type { Transcript } from '../../../transcript/transcript.ts';
import type { Transcripts } from '../transcripts.ts';

/** A line that was edited on a page: where it is now, or, where it is nowhere any more, the translation that has others. */
export type KeptEdit = { readonly segment: number } | { readonly other: Transcript };

/** Keeps a line that was edited on a page; where that fails, the user is told, and can copy the text. */
export async function keepEdit(
  message: Extract<FromTranscriptPanel, { type: 'edit' }>,
  sha256: string,
  { services, transcripts }: { readonly services: Services; readonly transcripts: Transcripts },
): Promise<KeptEdit | undefined> {
  let { segment }: { segment: number | undefined } = message;
  try {
    const kept = await transcripts.edit(sha256, (now) => {
      // Another window, a document or another translation may have put another line there.
      segment = findSegment(now, message);
      return segment === undefined ? now : editSegment(now, segment, message.text, Date.now());
    });
    if (kept === undefined) void tellUnkept(message.text);
    else if (segment === undefined) return { other: kept };
  } catch (error) {
    services.log.error(describeForLog(error));
    void tellUnkept(message.text);
  }
  return segment === undefined ? undefined : { segment };
}

/** Says that a page shows another translation than the one whose line was edited. */
export const tellOther = (text: string): Promise<void> =>
  offerText(
    l10n.t(
      'This translation was changed at another place meanwhile. It is shown as it is now, without your last edit.',
    ),
    text,
  );

const tellUnkept = (text: string): Promise<void> =>
  offerText(l10n.t('Your edit is not kept: the translation is not on the disk, or could not be written there.'), text);

/** Says why what the user wrote is not in the translation, and lets it be copied. */
async function offerText(sentence: string, text: string): Promise<void> {
  const copy = l10n.t('Copy Your Text');
  if ((await window.showWarningMessage(sentence, copy)) === copy) await env.clipboard.writeText(text);
}
