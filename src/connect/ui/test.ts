import { env, l10n } from 'vscode';
import { type Action, errorText } from '../../editor/errorText.ts';
import { withProgress } from '../../editor/progress.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { Command } from '../../ids.ts';
import { isCancelled, ServiceError } from '../../service/errors.ts';
import type { Purpose } from '../../service/modelPurpose.ts';
import { type Check, checkEndpoint } from '../check.ts';

/**
 * `Test Connection`: a small real call for chat and for whatever else a model is set; says what was called and what each
 * call found. One that fails hides no other.
 */
export async function testConnection(services: Services): Promise<Check[]> {
  const { connection, notices, log } = services;
  const purposes: readonly Purpose[] = [
    'chat',
    ...(['embeddings', 'audio'] as const).filter((purpose) => connection.model(purpose) !== ''),
  ];
  const checks = await withProgress(l10n.t('Testing the connection'), async (signal, report) => {
    report(connection.baseUrl('chat') ?? '');
    return Promise.all(purposes.map((purpose) => check(services, purpose, signal)));
  });
  for (const each of checks) log.info(`Test ${logLine(each)}`);
  if (checks.some(({ error }) => isCancelled(error))) return checks;
  const sentences = checks.filter(({ error }) => error === undefined).map(success);
  const failures = explainFailures(checks);
  // A button also keeps VS Code from folding the sentence to one line, which would cut off the address.
  if (failures.length === 0) {
    void notices.info(sentences.join(' '), { title: l10n.t('Ask a Question'), command: Command.chatAsk });
  } else {
    const again = { title: l10n.t('Test Again'), command: Command.testConnection };
    const told = [...failures.map(({ sentence }) => sentence), ...sentences].join(' ');
    void notices.warn(told, failures[0]?.action ?? again);
  }
  return checks;
}

/** A missing key or model is an outcome like any other. */
async function check({ connection, client }: Services, purpose: Purpose, signal: AbortSignal): Promise<Check> {
  try {
    const endpoint = await connection.endpoint(purpose);
    const options = {
      client,
      stream: readSetting('parley.chat.stream'),
      fileField: readSetting('parley.audio.fileField'),
      now: () => performance.now(),
    };
    return await checkEndpoint(purpose, endpoint, options, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { purpose, url: connection.baseUrl(purpose) ?? '', milliseconds: 0, error };
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

/** A sentence for each thing that went wrong, with all the addresses where it did. */
function explainFailures(checks: readonly Check[]): { sentence: string; action?: Action }[] {
  const found = new Map<string, { action?: Action; urls: string[] }>();
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
