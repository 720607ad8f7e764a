import { createHash } from 'node:crypto';
import { env, l10n } from 'vscode';
import { errorKinds, ServiceError } from '../../../base/errors.ts';
import type { InstructionFile } from '../../../base/workspaceInstructions.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { unknownEndText } from '../../../editor/sentences/endText.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { meaningOf } from '../../../service/chat/completion.ts';
import type {
  AnswerView,
  ChipView,
  MessageView,
  OpenFileView,
  VersionsView,
} from '../../../webview/shared/protocol/messageProtocol.ts';
import type { Patch } from '../../../webview/shared/protocol/protocol.ts';
import { canContinue } from '../../answering/continuation.ts';
import { canReplay } from '../../answering/replay.ts';
import { type Attachment, type AttachmentKind, attachmentTokens } from '../../conversation/attachment.ts';
import type { Answer, AnswerError, AskedCall, Message } from '../../conversation/conversation.ts';
import { isData } from '../structured/answerDataView.ts';
import { detailRows, summaryLine } from './answer/answerDetails.ts';
import { differs, replayText } from './answer/replayText.ts';
import { tokenCount } from './answer/shownNumbers.ts';
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
      [...(message.adjustments ?? []).map(adjustmentText), replayText(message), noteFor(message) ?? '']
        .filter(Boolean)
        .join(' ') || undefined,
    error: message.error === undefined ? undefined : errorView(message.error),
    calls: message.calls?.map(callView),
    hasData: isData(message) || undefined,
    hasConfidence: (ended && message.hasLogprobs) || undefined,
    canContinue: canContinue(message),
    canReplay: canReplay(message) || undefined,
    differsFrom: differs(message) ? message.replay?.of : undefined,
    missing: (ended && message.missing) || undefined,
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

/** The chip of the file that is open. */
export function openFileView(attachment: Attachment, state: OpenFileView['state']): OpenFileView {
  const { title: _, ...chip } = chipView(attachment);
  const { path } = attachment;
  const titles = {
    on: l10n.t(
      '{0} is open, and goes along with the question, about {1}',
      path,
      tokenCount(attachmentTokens(attachment)),
    ),
    off: l10n.t('{0} is open, and does not go along', path),
    known: l10n.t('{0} is open, and went along with an earlier question as it is; it is not sent twice', path),
  };
  const { tokens, ...rest } = chip;
  return { state, chip: { ...rest, title: plain(titles[state]), ...(state === 'on' && tokens && { tokens }) } };
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
  const fewer = answer.missing ? l10n.t('The service gave fewer answers than were asked for.') : '';
  return [forkNote(answer), endNote(answer), cut, fewer].filter(Boolean).join(' ') || undefined;
}

/** What became of an answer that was to go on from another token, where the service did not do so. */
function forkNote({ fork, error, text }: Answer): string | undefined {
  if (fork?.isAnew) return l10n.t('The service does not go on from a fork: it began anew, and this is what came.');
  const isRefused = fork !== undefined && text.length <= fork.at && error?.kind === 'bad-request';
  if (!isRefused) return undefined;
  return l10n.t('The service refuses to go on from a fork. Continue asks for the rest in words.');
}

function endNote({ state, finishReason, text, declined, waitSeconds, isWaitAsked, calls }: Answer): string | undefined {
  if (waitSeconds !== undefined)
    return isWaitAsked
      ? l10n.t('The service asks to wait. Trying again in {0} s.', waitSeconds)
      : l10n.t('Trying again in {0} s.', waitSeconds);
  if (state === 'stopped') return l10n.t('Stopped.');
  if (state !== 'complete') return undefined;
  if (meaningOf(finishReason) === 'limit') return l10n.t('The answer ends here because it reached the token limit.');
  if (declined) return l10n.t('The model declined to answer.');
  const end = unknownEndText(finishReason);
  if (end !== undefined) return end;
  if (calls !== undefined) return l10n.t('The model asks for this to be called. Parley calls nothing.');
  return /\S/.test(text) ? undefined : l10n.t('The model gave an empty answer.');
}
