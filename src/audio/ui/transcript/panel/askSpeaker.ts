import { l10n } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import type { FromTranscriptPanel } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { findSegment } from '../../../transcript/editTranscript.ts';
import {
  linesOf,
  longestName,
  nameSpeaker,
  namesIn,
  runFrom,
  type SpeakerScope,
} from '../../../transcript/speakers.ts';
import type { Transcript } from '../../../transcript/transcript.ts';
import type { Transcripts } from '../transcripts.ts';

/** Asks who speaks in a segment, and keeps the name: for all that the same says, or from there on. */
export async function askSpeaker(
  message: Extract<FromTranscriptPanel, { type: 'speaker' }>,
  sha256: string,
  transcripts: Transcripts,
): Promise<void> {
  const transcript = await transcripts.get(sha256);
  const segment = transcript && findSegment(transcript, message);
  if (transcript === undefined || segment === undefined) return;
  const name = await askName(transcript, segment);
  const scope = name === undefined ? undefined : await askScope(transcript, segment, name);
  if (name === undefined || scope === undefined) return;
  await transcripts.edit(sha256, (now) => {
    const place = findSegment(now, message);
    return place === undefined ? now : nameSpeaker(now, place, name, scope);
  });
}

/** One of the names that there are, or another one. */
async function askName(transcript: Transcript, segment: number): Promise<string | undefined> {
  const { speaker } = transcript.segments?.[segment] ?? {};
  const others = namesIn(transcript).filter((name) => name !== speaker);
  if (others.length > 0) {
    const another = { label: l10n.t('Another Name…') };
    const items = [another, ...others.map((label) => ({ label }))];
    const chosen = await window.showQuickPick(items, { title: l10n.t('Who Speaks?'), placeHolder: speaker ?? '' });
    if (chosen === undefined) return undefined;
    if (chosen !== another) return chosen.label;
  }
  return window.showInputBox({
    title: l10n.t('Who Speaks?'),
    prompt: l10n.t('A name; empty for none'),
    value: speaker ?? '',
    validateInput: (name) => (name.length > longestName ? l10n.t('{0} characters at most', longestName) : undefined),
  });
}

/** Asked only where it is not the same. */
async function askScope(transcript: Transcript, segment: number, name: string): Promise<SpeakerScope | undefined> {
  const { segments = [] } = transcript;
  const speaker = segments[segment]?.speaker;
  if (speaker === undefined || linesOf(segments, segment).length === runFrom(segments, segment).length) return 'here';
  const all = { label: l10n.t('Everywhere'), description: l10n.t('all that {0} says', speaker), scope: 'all' as const };
  const here = { label: l10n.t('From Here On'), description: l10n.t('up to the next name'), scope: 'here' as const };
  const title = name === '' ? l10n.t('Take the Name Away') : l10n.t('{0} Becomes {1}', speaker, name);
  return (await window.showQuickPick([all, here], { title }))?.scope;
}
