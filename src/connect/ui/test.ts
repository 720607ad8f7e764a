import { env, l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import type { Draft } from '../../editor/connection/connection.ts';
import { setContext } from '../../editor/contextKeys.ts';
import { withProgress } from '../../editor/progress.ts';
import type { Button } from '../../editor/sentences/errorButtons.ts';
import { errorText } from '../../editor/sentences/errorText.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { Command, ContextKey } from '../../ids/ids.ts';
import type { Purpose } from '../../service/models/models.ts';
import { type Check, checkEndpoint } from '../check.ts';

/** `Test Connection`: tries the connection of the settings, and says which addresses were called and what each call found. */
export async function testConnection(services: Services): Promise<void> {
  const checks = await runChecks(services);
  if (!isStopped(checks)) await tellChecks(services, checks);
}

/**
 * Makes a small real call for chat and for each other purpose with a model. A failed call hides no other.
 * @param draft tried in the place of the settings
 */
export async function runChecks(services: Services, draft?: Draft): Promise<Check[]> {
  const { connection, log } = services;
  const modelOf = (purpose: Purpose): string =>
    draft === undefined ? connection.model(purpose) : (draft.models[purpose] ?? '');
  const others = (['embeddings', 'audio'] as const).filter((purpose) => modelOf(purpose) !== '');
  const checks = await withProgress(l10n.t('Testing the connection'), async (signal, report) => {
    report(draft?.baseUrl ?? connection.baseUrl('chat') ?? '');
    return Promise.all((['chat', ...others] as const).map((purpose) => check(services, purpose, draft, signal)));
  });
  for (const each of checks) log.info(`Test ${logLine(each)}`);
  return checks;
}

export const isStopped = (checks: readonly Check[]): boolean => checks.some(({ error }) => isCancelled(error));

/** Says what the calls found. The walkthrough's first step is done when chat works. */
export async function tellChecks({ notices }: Services, checks: readonly Check[]): Promise<void> {
  if (checks.some(({ purpose, error }) => purpose === 'chat' && error === undefined)) {
    await setContext(ContextKey.connectionTested, true);
  }
  const sentences = checks.filter(({ error }) => error === undefined).map(success);
  const failures = explainFailures(checks);
  // A button also keeps VS Code from folding the sentence to one line, which would cut off the address.
  if (failures.length === 0) {
    void notices.info(sentences.join(' '), { title: l10n.t('Ask a Question'), command: Command.chatAsk });
  } else {
    const again = { title: l10n.t('Test Again'), command: Command.testConnection };
    const told = [...failures.map(({ sentence }) => sentence), ...sentences].join(' ');
    const kinds = checks.flatMap(({ error }) => error?.kind ?? []);
    void notices.warn(told, failures[0]?.action ?? again, kinds);
  }
}

/** The failures in one text; empty when there was none. */
export const failureText = (checks: readonly Check[]): string =>
  explainFailures(checks)
    .map(({ sentence }) => sentence)
    .join(' ');

/** Makes one test call. A missing key or model is an outcome like any other. */
async function check(
  { connection, client }: Services,
  purpose: Purpose,
  draft: Draft | undefined,
  signal: AbortSignal,
): Promise<Check> {
  try {
    const endpoint = await connection.endpoint(purpose, draft);
    const options = {
      client,
      stream: readSetting('parley.chat.stream'),
      fileField: readSetting('parley.audio.fileField'),
      extraFields: readSetting('parley.audio.extraFields'),
      now: () => performance.now(),
    };
    return await checkEndpoint(purpose, endpoint, options, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { purpose, url: draft?.baseUrl ?? connection.baseUrl(purpose) ?? '', milliseconds: 0, error };
  }
}

function logLine({ purpose, url, milliseconds, error, streamed, dimensions }: Check): string {
  const found = [
    streamed === undefined ? '' : `streamed: ${streamed}`,
    dimensions === undefined ? '' : `dimensions: ${dimensions}`,
  ];
  return [purpose, url, error?.kind ?? 'ok', `${Math.round(milliseconds)} ms`, ...found].filter(Boolean).join(' ');
}

function success({ purpose, url, milliseconds, streamed, dimensions = 0 }: Check): string {
  const time = Math.round(milliseconds).toLocaleString(env.language);
  if (purpose === 'embeddings')
    return l10n.t('Embeddings work: {0}, {1} dimensions, {2} ms.', url, dimensions.toLocaleString(env.language), time);
  if (purpose === 'audio') return l10n.t('Audio works: {0}, {1} ms.', url, time);
  if (streamed === undefined) return l10n.t('Chat works: {0}, {1} ms.', url, time);
  return streamed
    ? l10n.t('Chat works: {0}, {1} ms, streamed.', url, time)
    : l10n.t('Chat works: {0}, {1} ms, in one piece (the service does not stream).', url, time);
}

/** A sentence for each failure, with all the addresses where it happened. */
function explainFailures(checks: readonly Check[]): { sentence: string; action?: Button }[] {
  const found = new Map<string, { action?: Button; urls: string[] }>();
  for (const { error, url } of checks) {
    if (error === undefined) continue;
    const { sentence, action } = errorText(error);
    const known = found.get(sentence);
    if (known === undefined) found.set(sentence, { ...(action ? { action } : {}), urls: [url] });
    else known.urls.push(url);
  }
  return [...found].map(([sentence, { action, urls }]) => {
    const unnamed = urls.filter((url) => url !== '' && !sentence.includes(url));
    const named = unnamed.length === 0 ? sentence : l10n.t('{0} Called: {1}', sentence, unnamed.join(', '));
    return { sentence: named, ...(action ? { action } : {}) };
  });
}
