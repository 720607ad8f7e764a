import { env, l10n } from 'vscode';
import { describeForLog } from '../../../../editor/log.ts';
import type { Services } from '../../../../editor/services.ts';
import { window } from '../../../../editor/text/window.ts';
import type { FromTranscriptPanel } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { editSegments, findSegment, type SegmentEdit } from '../../../transcript/editTranscript.ts';
import type { Transcript } from '../../../transcript/transcript.ts';
import type { Transcripts } from '../transcripts.ts';

/**
 * Lines that were edited on a page: where they are now. Of those that are nowhere any more, the texts, and the translation that has
 * others.
 */
export interface FoundEdits {
  readonly segments: readonly number[];
  readonly lost?: { readonly text: string; readonly other: Transcript };
}

/** Keeps lines that were edited on a page; where that fails, the user is told, and can copy the text. */
export async function keepEdits(
  message: Extract<FromTranscriptPanel, { type: 'edit' }>,
  id: string,
  { services, transcripts }: { readonly services: Services; readonly transcripts: Transcripts },
): Promise<FoundEdits> {
  let found: SegmentEdit[] = [];
  let lost: string[] = [];
  try {
    const kept = await transcripts.edit(id, (now) => {
      [found, lost] = [[], []];
      for (const edit of message.edits) {
        // Another window, a document or another translation may have put another line there.
        const segment = findSegment(now, edit);
        if (segment === undefined) lost.push(edit.text);
        else found.push({ segment, text: edit.text });
      }
      return editSegments(now, found, Date.now());
    });
    if (kept !== undefined) {
      const segments = found.map(({ segment }) => segment);
      return lost.length === 0 ? { segments } : { segments, lost: { text: lost.join('\n'), other: kept } };
    }
  } catch (error) {
    services.log.error(describeForLog(error));
  }
  void tellUnkept(message.edits.map(({ text }) => text).join('\n'));
  // The page shows again what is there.
  return { segments: message.edits.map(({ segment }) => segment) };
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
