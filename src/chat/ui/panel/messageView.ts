import { createHash } from 'node:crypto';
import { env, l10n } from 'vscode';
import { errorKinds, ServiceError } from '../../../base/errors.ts';
import type { InstructionFile } from '../../../base/workspaceInstructions.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { unknownEndText } from '../../../editor/sentences/endText.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { meaningOf } from '../../../service/chat/completion.ts';
import type { AnswerView, ChipView, MessageView, Patch, VersionsView } from '../../../webview/shared/protocol.ts';
import { canContinue } from '../../answering/continuation.ts';
import { tokensPerSecond } from '../../answering/tokensPerSecond.ts';
import { type Attachment, type AttachmentKind, attachmentTokens } from '../../conversation/attachment.ts';
import type { Answer, AnswerError, AskedCall, Message } from '../../conversation/conversation.ts';
import { isData } from '../structured/answerDataView.ts';
import { longestShown } from './page/outbox.ts';

/** Characters of the name of a prompt that are shown above a question. */
const longestLabel = 100;

/** A message as the panel shows it: data turned into words. */
export function messageView(message: Message): MessageView {
  if (message.role === 'user') {
    const { id, text, label, attachments } = message;
    return {
      role: 'user',
      id,
      text,
      label: label === undefined ? undefined : plain(label, { length: longestLabel }),
      chips: attachments.map(chipView),
      versions: versionsView(message),
    };
  }
  const { id, text, reasoning, state } = message;
  const ended = state !== 'streaming';
  return {
    role: 'assistant',
    id,
    text,
    reasoning,
    state,
    summary: ended ? summaryLine(message) : undefined,
    details: ended ? detailRows(message) : [],
    note:
      [...(message.adjustments ?? []).map(adjustmentText), noteFor(message) ?? ''].filter(Boolean).join(' ') ||
      undefined,
    error: message.error === undefined ? undefined : errorView(message.error),
    calls: message.calls?.map(callView),
    hasData: isData(message) || undefined,
    hasConfidence: (ended && message.hasLogprobs) || undefined,
    canContinue: canContinue(message),
    versions: versionsView(message),
  };
}

/** The longest arguments of a call that are shown, in characters. */
const longestArguments = 20_000;

function callView({ name, arguments: given }: AskedCall) {
  return { name: plain(name, { length: 100 }), arguments: indented(given.slice(0, longestArguments)) };
}

/** JSON over several lines; what is none stays as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function versionsView({ id, versions }: Message): VersionsView | undefined {
  if (versions === undefined) return undefined;
  const index = versions.indexOf(id);
  return { at: index + 1, of: versions.length, before: versions[index - 1], after: versions[index + 1] };
}

/** @param messages as they are with the patch */
export function patchView(patch: Patch<Message>, messages: readonly Message[]): Patch<MessageView> {
  const { change } = patch;
  if (change.kind === 'append' || change.kind === 'cut') return { ...patch, change };
  if (change.kind === 'put') return { ...patch, change: { ...change, message: messageView(change.message) } };
  const { index } = change;
  const { text: _text, reasoning: _reasoning, ...facts } = messageView(messages[index] as Answer) as AnswerView;
  return { ...patch, change: { kind: 'describe', index, facts } };
}

export function chipView(attachment: Attachment): ChipView {
  const { id, label, kind } = attachment;
  const tokens = attachmentTokens(attachment);
  const title = l10n.t('{0}, about {1}', placeOf(attachment), tokenCount(tokens));
  return {
    id,
    label: plain(label),
    title: plain(title),
    tokens: shortCount(tokens),
    icon: chipIcons[kind ?? 'lines'] ?? 'list-selection',
  };
}

const chipIcons: Readonly<Record<AttachmentKind | 'lines', string>> = {
  lines: 'list-selection',
  file: 'file',
  folder: 'folder',
  problems: 'warning',
  diff: 'git-compare',
  terminal: 'terminal',
  conversation: 'comment-discussion',
  pasted: 'clippy',
  image: 'file-media',
};

function placeOf({ kind, path, label, range, image }: Attachment): string {
  if (image !== undefined) return l10n.t('{0}, {1} × {2} pixels', path || label, image.width, image.height);
  if (kind === undefined) return l10n.t('{0}, lines {1} to {2}', path, range.startLine, range.endLine);
  return kind === 'file' || kind === 'folder' ? path : label;
}

/** A number of tokens in short: `850`, `1.2k`. */
function shortCount(tokens: number): string {
  return new Intl.NumberFormat(env.language, { notation: 'compact', maximumSignificantDigits: 2 }).format(tokens);
}

/** The chip of an instruction file that goes along with every question. */
export function instructionChip({ uri, name, isCut }: InstructionFile): ChipView {
  const title = isCut
    ? l10n.t('{0} goes along as instructions; it is too long, so its end is left out', name)
    : l10n.t('{0} goes along as instructions', name);
  const label = isCut ? l10n.t('{0} (cut)', name) : name;
  return { id: instructionChipId(uri), label: plain(label), title: plain(title), icon: 'book' };
}

/** The address of a file may be longer than a message of the page takes. */
export function instructionChipId(uri: string): string {
  return createHash('sha256').update(uri).digest('hex');
}

/** The error of an answer as it was thrown, or undefined for a fault of our own. */
export function serviceErrorOf(error: AnswerError): ServiceError | undefined {
  const kind = errorKinds.find((known) => known === error.kind);
  return kind === undefined ? undefined : new ServiceError(kind, error);
}

function errorView(error: AnswerError): NonNullable<AnswerView['error']> {
  const known = serviceErrorOf(error);
  if (known === undefined) return { sentence: l10n.t('Parley met an error it did not expect.') };
  const { sentence, action } = errorText(known);
  return { sentence, action: action?.title };
}

function noteFor(answer: Answer): string | undefined {
  const { text, reasoning, state } = answer;
  const isCut = state !== 'streaming' && Math.max(text.length, reasoning.length) > longestShown;
  const cut = isCut ? l10n.t('Only the beginning is shown here; Copy Answer gives all of it.') : '';
  return [endNote(answer), cut].filter(Boolean).join(' ') || undefined;
}

function endNote({ state, finishReason, text, declined, waitSeconds, calls }: Answer): string | undefined {
  if (waitSeconds !== undefined) return l10n.t('The service asks to wait. Trying again in {0} s.', waitSeconds);
  if (state === 'stopped') return l10n.t('Stopped.');
  if (state !== 'complete') return undefined;
  if (meaningOf(finishReason) === 'limit') return l10n.t('The answer ends here because it reached the token limit.');
  if (declined) return l10n.t('The model declined to answer.');
  const end = unknownEndText(finishReason);
  if (end !== undefined) return end;
  if (calls !== undefined) return l10n.t('The model asks for this to be called. Parley calls nothing.');
  return /\S/.test(text) ? undefined : l10n.t('The model gave an empty answer.');
}

/** `llama-x · 412 tokens`, as far as each is known. Times are among the details. */
function summaryLine({ model, usage, state, text }: Answer): string | undefined {
  if (state === 'failed' && text === '') return undefined;
  const parts = [
    model === undefined ? undefined : plain(model, { length: 100 }),
    usage?.completionTokens === undefined ? undefined : tokenCount(usage.completionTokens),
  ];
  return parts.filter((part) => part !== undefined).join(' · ') || undefined;
}

/** What tells a version of an answer from others, in one line. */
export function versionDetail(answer: Answer): string {
  const seconds = answer.timings.totalMs === undefined ? undefined : duration(answer.timings.totalMs / 1000);
  return [summaryLine(answer), seconds].filter(Boolean).join(' · ');
}

/** A label, a value, and the seconds of what is a part of the service's time. */
type DetailRow = AnswerView['details'][number];

function detailRows(answer: Answer): DetailRow[] {
  const { usage, timings, finishReason, systemFingerprint } = answer;
  const speed = tokensPerSecond(answer);
  const row = (label: string, tokens: number | undefined, seconds: number | undefined): [string, string][] => {
    const values = [
      tokens === undefined ? undefined : tokenCount(tokens),
      seconds === undefined ? undefined : duration(seconds),
    ].filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[label, values.join(', ')]];
  };
  const part = (...[label, tokens, seconds]: Parameters<typeof row>): DetailRow[] =>
    row(label, tokens, seconds).map((each) => (seconds !== undefined && seconds > 0 ? [...each, seconds] : each));
  const measured = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);
  return [
    ...part(l10n.t('Queue'), undefined, usage?.queueTime),
    ...part(l10n.t('Prompt'), usage?.promptTokens, usage?.promptTime),
    ...row(l10n.t('Prompt, cached'), usage?.cachedTokens, undefined),
    ...part(l10n.t('Completion'), usage?.completionTokens, usage?.completionTime),
    ...row(l10n.t('Completion, thoughts'), usage?.reasoningTokens, undefined),
    ...row(l10n.t('Total'), usage?.totalTokens, usage?.totalTime),
    ...row(l10n.t('Until the first token'), undefined, measured(timings.firstTokenMs)),
    ...row(l10n.t('Until the end'), undefined, measured(timings.totalMs)),
    ...textRow(l10n.t('Speed'), speed && l10n.t('{0} tok/s', number(speed, speed < 10 ? 1 : 0))),
    ...textRow(l10n.t('Finish reason'), finishReason),
    ...textRow(l10n.t('System fingerprint'), systemFingerprint && plain(systemFingerprint, { length: 100 })),
  ];
}

function textRow(label: string, value: string | 0 | undefined): [string, string][] {
  return value ? [[label, value]] : [];
}

export function tokenCount(tokens: number): string {
  return tokens === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', number(tokens, 0));
}

/** Seconds in a unit a person reads. */
function duration(seconds: number): string {
  if (seconds < 0.0995) return l10n.t('{0} ms', number(seconds * 1000, seconds < 0.00995 ? 1 : 0));
  return l10n.t('{0} s', number(seconds, seconds < 9.95 ? 2 : 1));
}

function number(value: number, digits: number): string {
  let format = numberFormats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat(env.language, { maximumFractionDigits: digits });
    numberFormats.set(digits, format);
  }
  return format.format(value);
}
/** By digits: to make one takes longer than all else of a message. */
const numberFormats = new Map<number, Intl.NumberFormat>();
