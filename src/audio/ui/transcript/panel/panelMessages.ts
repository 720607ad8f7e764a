import { env, l10n } from 'vscode';
import * as z from 'zod/mini';
import { formatDuration, formatSize } from '../../../../editor/sentences/formatUnits.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import { placeWords, type Segment } from '../../../../service/audio/audio.ts';
import type { Strings } from '../../../../webview/shared/protocol/protocol.ts';
import {
  type FromTranscriptPanel,
  mostEditsAtOnce,
  type TranscriptState,
  type TranscriptView,
  type WordView,
} from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { mostBars } from '../../../../webview/shared/soundScale.ts';
import { originalOf } from '../../../transcript/editTranscript.ts';
import { languageCode } from '../../../transcript/languageNames.ts';
import { textsBeside } from '../../../transcript/sideBySide.ts';
import { formatTime } from '../../../transcript/timestamps.ts';
import type { Transcript } from '../../../transcript/transcript.ts';
import { missingText } from '../../missingText.ts';
import { textLanguageName, transcriptKind } from '../aboutTranscript.ts';
import { openExtraFields, transcriptNote } from '../transcriptNote.ts';

/** A line of a transcript is no longer, in characters, and none has a higher number. */
const longestLine = 100_000;
const mostSegments = 10_000_000;

const lineNumber = z.int().check(z.gte(0), z.lte(mostSegments));
const lineText = z.string().check(z.maxLength(longestLine));

const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('copy'), as: z.optional(z.enum(['paragraphs', 'times'])) }),
  z.strictObject({
    type: z.literal('edit'),
    edits: z
      .array(z.strictObject({ segment: lineNumber, start: z.number(), before: lineText, text: lineText }))
      .check(z.maxLength(mostEditsAtOnce)),
  }),
  z.strictObject({
    type: z.literal('tick'),
    segment: lineNumber,
    start: z.number(),
    before: lineText,
    isChecked: z.boolean(),
  }),
  z.strictObject({ type: z.literal('speaker'), segment: lineNumber, start: z.number(), before: lineText }),
  z.strictObject({ type: z.literal('heard'), segment: lineNumber }),
  z.strictObject({ type: z.literal('cannotPlay') }),
  z.strictObject({
    type: z.literal('decoded'),
    bars: z.array(z.number().check(z.gte(0), z.lte(1))).check(z.minLength(1), z.maxLength(mostBars)),
  }),
  z.strictObject({ type: z.literal('playing') }),
  z.strictObject({ type: z.literal('export') }),
  z.strictObject({ type: z.literal('openRecording') }),
  z.strictObject({ type: z.literal('translate') }),
  z.strictObject({ type: z.literal('translateAgain') }),
  z.strictObject({ type: z.literal('versions') }),
  z.strictObject({ type: z.literal('openExtraFields') }),
]);

/** A message of the page, or undefined for anything that is not exactly one. */
export function parseMessage(message: unknown): FromTranscriptPanel | undefined {
  return messageSchema.safeParse(message).data;
}

/** A page keeps no more edits than these. */
const keptEdits = z
  .array(
    z.strictObject({
      line: lineNumber,
      start: z.number(),
      before: lineText,
      after: lineText,
      isChecked: z.optional(z.boolean()),
      isJoined: z.optional(z.literal(true)),
    }),
  )
  .check(z.maxLength(100));

const stateSchema = z.strictObject({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  path: z.string().check(z.maxLength(32_768)),
  task: z.optional(z.literal('transcribe')),
  isBeside: z.optional(z.boolean()),
  version: z.optional(z.string().check(z.maxLength(64))),
  place: z.optional(
    z.strictObject({
      seconds: z.number().check(z.gte(0)),
      speed: z.number().check(z.gte(0.1), z.lte(10)),
      isFollowing: z.boolean(),
      line: lineNumber,
    }),
  ),
  edits: z.optional(z.strictObject({ done: keptEdits, undone: keptEdits })),
});

/** The translation that a panel shows: kept by the page while VS Code restarts. */
export function parseState(state: unknown): TranscriptState | undefined {
  return stateSchema.safeParse(state).data;
}

/** The strings of the page. */
export function transcriptStrings(extension: string, task?: 'transcribe'): Strings {
  return {
    copy: l10n.t('Copy'),
    copied: l10n.t('Copied'),
    copyWays: l10n.t('More Ways to Copy'),
    copyParagraphs: l10n.t('Copy as Paragraphs'),
    copyTimes: l10n.t('Copy with Times'),
    export: l10n.t('Export…'),
    translate: l10n.t('Translate'),
    translateAgain: l10n.t('Translate Again…'),
    versions: l10n.t('{0} Versions', '{0}'),
    openRecording: env.remoteName === undefined ? l10n.t('Open Externally') : l10n.t('Reveal in Explorer'),
    cannotPlay: l10n.t('VS Code cannot play {0} here.', extension),
    preparing: l10n.t('Preparing the sound for playing here… {0}', '{0}'),
    empty: l10n.t('No speech was found in this recording.'),
    player: l10n.t('Recording'),
    actions: l10n.t('Actions'),
    transcript: l10n.t('Translation'),
    beside: l10n.t('Both Texts'),
    besideTitle: l10n.t('Show the Text in {0} Beside This One', '{0}'),
    openExtraFields: openExtraFields().title,
    playFrom: l10n.t('Play from {0}', '{0}'),
    play: l10n.t('Play (Space)'),
    pause: l10n.t('Pause (Space)'),
    position: l10n.t('Position in the Recording (Left and Right Arrow)'),
    positionOf: l10n.t('{0} of {1}', '{0}', '{1}'),
    speed: l10n.t('Speed'),
    loop: l10n.t('Loop Line (L)'),
    follow: l10n.t('Follow the Recording (F)'),
    find: l10n.t('Find in Translation'),
    findOpen: l10n.t('Find ({0})', '{0}'),
    findPrevious: l10n.t('Previous Match (Shift+Enter)'),
    findNext: l10n.t('Next Match (Enter)'),
    findClose: l10n.t('Close (Escape)'),
    findNone: l10n.t('No results'),
    replace: l10n.t('Replace'),
    replaceOne: l10n.t('Replace (Enter)'),
    replaceAll: l10n.t('Replace All (Ctrl+Alt+Enter)'),
    showReplace: l10n.t('Replace…'),
    replaced: l10n.t('{0} places replaced', '{0}'),
    replacedOne: l10n.t('1 place replaced'),
    findPlace: l10n.t('{0} of {1}', '{0}', '{1}'),
    checks: l10n.t('{0} places to check', '{0}'),
    checkOne: l10n.t('1 place to check'),
    checksDone: l10n.t('All places checked'),
    checksList: l10n.t('Places to check'),
    markChecked: l10n.t('Mark as Checked (C)'),
    checkAgain: l10n.t('Checked (C to check again)'),
    checked: l10n.t('Checked. Places left: {0}', '{0}'),
    unchecked: l10n.t('To be checked again. Places left: {0}', '{0}'),
    checksHint: l10n.t('Next Place (F8), Previous Place (Shift+F8)'),
    checkPlace: l10n.t('Place {0} of {1}: {2}', '{0}', '{1}', '{2}'),
    editLine: l10n.t('Edit Line (Enter)'),
    nameSpeaker: l10n.t('Name Who Speaks (N)'),
    speaker: l10n.t('{0}: rename', '{0}'),
    lineAt: l10n.t('Text at {0}', '{0}'),
    edited: l10n.t('Edited'),
    restore: l10n.t('Restore Original'),
    emptied: l10n.t('No text'),
    undone: l10n.t('The edit is undone.'),
    redone: l10n.t('The edit is made again.'),
    ...(task === undefined ? {} : spokenStrings()),
  };
}

/** What the page says in other words of a text in the spoken language. */
const spokenStrings = (): Strings => ({
  translate: l10n.t('Transcribe'),
  translateAgain: l10n.t('Transcribe Again…'),
  transcript: l10n.t('Transcript'),
  find: l10n.t('Find in Transcript'),
});

/** A transcript as the page shows it, without the player. */
export function toView(transcript: Transcript, state: TranscriptState, other?: Transcript): TranscriptView {
  const { segments = [] } = transcript;
  const besides = other?.segments === undefined ? undefined : textsBeside(segments, other.segments);
  const language = textLanguage(transcript);
  return {
    state: { ...state, version: transcript.createdAt },
    fileName: plain(transcript.fileName),
    about: plain([...besideKind(transcript, other), describe(transcript)].join(' · ')),
    ...((transcript.untranslated || transcript.isTranslated) && { note: transcriptNote(transcript) }),
    ...(language === undefined ? {} : { language }),
    ...(other && besides && segments.length > 0 ? { beside: besideOf(other) } : {}),
    text: transcript.text,
    ...(transcript.areBlocks && { areBlocks: true }),
    segments: segments.map(({ start, end, text, words, speaker }, index) => {
      const given = transcript.original === undefined ? undefined : originalOf(transcript, index)?.text;
      const more = {
        ...(given === undefined || given === text ? {} : { original: given }),
        ...(besides?.[index] ? { beside: besides[index] } : {}),
        ...(speaker !== undefined && { speaker }),
      };
      return { start, end, text, time: formatTime(start), ...more, ...wordsOf(text, words) };
    }),
  };
}

/** The language of a text as a code; undefined where nobody knows it. */
function textLanguage({ task, language, untranslated }: Transcript): string | undefined {
  if (task === undefined && untranslated === undefined) return 'en';
  return languageCode(language ?? untranslated?.language ?? '');
}

/** That a text is the translation, where there is another text it could be taken for. */
const besideKind = ({ task, untranslated }: Transcript, other: Transcript | undefined): string[] =>
  other !== undefined && task === undefined && untranslated === undefined ? [l10n.t('Translation into English')] : [];

function besideOf(other: Transcript): NonNullable<TranscriptView['beside']> {
  const language = textLanguage(other);
  return { name: plain(textLanguageName(other)), ...(language === undefined ? {} : { language }) };
}

/** The times of words, to the hundredth of a second. */
function wordsOf(text: string, words: Segment['words']): { readonly words?: readonly WordView[] } {
  if (words === undefined) return {};
  const round = (seconds: number): number => Math.round(seconds * 100) / 100;
  return {
    words: placeWords(text, words).map(({ at, text: word, start, end }) => [at, word.length, round(start), round(end)]),
  };
}

/** What the text is, where it is no translation; then length, size, model and date, in one line. */
export function describe(transcript: Transcript): string {
  const { durationSeconds, size, model, createdAt, task } = transcript;
  const date = new Date(createdAt).toLocaleDateString(env.language, { dateStyle: 'medium' });
  const length = durationSeconds === undefined ? [] : [formatDuration(durationSeconds)];
  const kind = task === undefined ? [] : [transcriptKind(transcript)];
  const missing = missingText(transcript.missing);
  return [...kind, ...length, formatSize(size), model, date, ...(missing === '' ? [] : [missing])].join(' · ');
}
