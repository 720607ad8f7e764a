import { env, l10n } from 'vscode';
import * as z from 'zod/mini';
import { formatDuration, formatSize } from '../../editor/sentences/formatUnits.ts';
import { plain } from '../../editor/text/plainText.ts';
import type { FromTranscriptPanel, Strings, TranscriptView } from '../../webview/shared/protocol.ts';
import { formatTime, type Transcript } from '../transcript.ts';
import { openExtraFields, transcriptNote } from './transcriptNote.ts';

const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('copy') }),
  z.strictObject({ type: z.literal('save'), format: z.enum(['txt', 'md']) }),
  z.strictObject({ type: z.literal('openRecording') }),
  z.strictObject({ type: z.literal('translate') }),
  z.strictObject({ type: z.literal('openExtraFields') }),
]);

/** A message of the page, or undefined for anything that is not exactly one. */
export function parseMessage(message: unknown): FromTranscriptPanel | undefined {
  return messageSchema.safeParse(message).data;
}

const stateSchema = z.strictObject({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  path: z.string().check(z.maxLength(32_768)),
});
/** The translation that a panel shows: kept by the page while VS Code restarts. */
export type TranscriptState = z.infer<typeof stateSchema>;

export function parseState(state: unknown): TranscriptState | undefined {
  return stateSchema.safeParse(state).data;
}

/** The strings of the page. */
export function transcriptStrings(extension: string): Strings {
  return {
    copy: l10n.t('Copy'),
    copied: l10n.t('Copied'),
    saveTxt: l10n.t('Save as .txt'),
    saveMd: l10n.t('Save as .md'),
    translate: l10n.t('Translate'),
    openRecording: env.remoteName === undefined ? l10n.t('Open Externally') : l10n.t('Reveal in Explorer'),
    cannotPlay: l10n.t('VS Code cannot play {0} here.', extension),
    empty: l10n.t('No speech was found in this recording.'),
    player: l10n.t('Recording'),
    actions: l10n.t('Actions'),
    transcript: l10n.t('Translation'),
    openExtraFields: openExtraFields().title,
    playFrom: l10n.t('Play from {0}', '{0}'),
  };
}

/** A transcript as the page shows it, without the player. */
export function toView(transcript: Transcript, state: TranscriptState): TranscriptView {
  return {
    state,
    fileName: plain(transcript.fileName),
    about: plain(describe(transcript)),
    ...(transcript.untranslated && { note: transcriptNote(transcript) }),
    text: transcript.text,
    segments: (transcript.segments ?? []).map((segment) => ({ ...segment, time: formatTime(segment.start) })),
  };
}

/** Length, size, model and date of a transcript in one line. */
export function describe({ durationSeconds, size, model, createdAt }: Transcript): string {
  const date = new Date(createdAt).toLocaleDateString(env.language, { dateStyle: 'medium' });
  const length = durationSeconds === undefined ? [] : [formatDuration(durationSeconds)];
  return [...length, formatSize(size), model, date].join(' · ');
}
