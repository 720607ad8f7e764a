import { env, l10n } from 'vscode';
import { plain } from '../../../../editor/text/plainText.ts';
import type { AnswerView } from '../../../../webview/shared/protocol/messageProtocol.ts';
import { tokensPerSecond } from '../../../answering/tokensPerSecond.ts';
import type { Answer } from '../../../conversation/conversation.ts';
import type { LimitLeft } from '../../../conversation/requestRecord.ts';
import { decimal, duration, tokenCount } from './shownNumbers.ts';

/** `llama-x · 412 tokens`, as far as each is known. Times are among the details. */
export function summaryLine({ model, usage, state, text }: Answer): string | undefined {
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

/** What the details of an answer list. */
export function detailRows(answer: Answer): DetailRow[] {
  const { usage, timings, finishReason, systemFingerprint, limits, retriedAfter } = answer;
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
    ...textRow(l10n.t('Speed'), speed && l10n.t('{0} tok/s', decimal(speed, speed < 10 ? 1 : 0))),
    ...textRow(l10n.t('Cost'), usage?.cost === undefined ? undefined : decimal(usage.cost, 6)),
    ...limitRow(l10n.t('Requests left'), limits?.requests),
    ...limitRow(l10n.t('Tokens left'), limits?.tokens),
    ...textRow(l10n.t('Sent again after'), retriedAfter?.map(refusalText).join(', ')),
    ...textRow(l10n.t('Forked at'), forkText(answer)),
    ...textRow(l10n.t('Finish reason'), finishReason && plain(finishReason, { length: 100 })),
    ...textRow(l10n.t('System fingerprint'), systemFingerprint && plain(systemFingerprint, { length: 100 })),
  ];
}

function textRow(label: string, value: string | 0 | undefined): [string, string][] {
  return value ? [[label, value]] : [];
}

/** What is left of a rate limit, and when it is whole again, by the clock. */
function limitRow(label: string, left: LimitLeft | undefined): [string, string][] {
  if (left === undefined) return [];
  const { remaining, limit, resetAt } = left;
  const count =
    limit === undefined ? decimal(remaining, 0) : l10n.t('{0} of {1}', decimal(remaining, 0), decimal(limit, 0));
  const time = resetAt === undefined ? undefined : clockTime(resetAt);
  return [[label, time === undefined ? count : l10n.t('{0}, all again at {1}', count, time)]];
}

/** The time of day, with the day where that is another one than today. */
function clockTime(at: number): string | undefined {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return undefined;
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(env.language, {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'medium',
  }).format(date);
}

function refusalText(status: number): string {
  return status === 0 ? l10n.t('no connection') : l10n.t('HTTP {0}', status);
}

/** The last words of the beginning of an answer that goes on from another token. */
function forkText({ fork, text }: Answer): string | undefined {
  if (fork === undefined || fork.isAnew) return undefined;
  const beginning = text.slice(0, fork.at).trimEnd();
  const cut = beginning.slice(-longestFork);
  return plain(cut === beginning ? beginning : `…${cut}`);
}
const longestFork = 24;
