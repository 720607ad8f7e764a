import { l10n } from 'vscode';
import { errorText } from '../../editor/errorText.ts';
import { withProgress } from '../../editor/progress.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { isCancelled } from '../../service/errors.ts';
import { type Check, checkEndpoint } from '../check.ts';

/** `Test Connection`: a small real call for chat, and one for embeddings if a model is set; shows what was called. */
export async function testConnection({ connection, transport, notices, log }: Services): Promise<Check[]> {
  const chat = await connection.endpoint('chat');
  const embeddings = connection.model('embeddings') === '' ? undefined : await connection.endpoint('embeddings');
  const checks = await withProgress(l10n.t('Testing the connection'), async (signal, report) => {
    const done: Check[] = [];
    for (const [purpose, endpoint] of [
      ['chat', chat],
      ['embeddings', embeddings],
    ] as const) {
      if (endpoint === undefined) continue;
      report(endpoint.baseUrl);
      done.push(await checkEndpoint(transport, purpose, endpoint, () => Date.now(), signal));
    }
    return done;
  });
  for (const check of checks) log.info(`Test ${check.purpose} ${check.url} ${check.error?.kind ?? 'ok'}`);
  const failed = checks.find((check) => check.error !== undefined);
  // A button also keeps VS Code from folding the sentence to one line, which would cut off the address.
  const ask = { title: l10n.t('Ask a Question'), command: Command.chatAsk };
  if (failed === undefined) void notices.info(checks.map(success).join(' '), ask);
  else if (!isCancelled(failed.error)) void showFailure(failed, notices);
  return checks;
}

function success({ purpose, url, milliseconds }: Check): string {
  const time = Math.round(milliseconds);
  return purpose === 'chat'
    ? l10n.t('Chat works: {0} answered in {1} ms.', url, time)
    : l10n.t('Embeddings work: {0} answered in {1} ms.', url, time);
}

async function showFailure({ url, error }: Check, notices: Services['notices']): Promise<void> {
  if (error === undefined) return;
  const { sentence, action } = errorText(error);
  const named = sentence.includes(url) ? sentence : l10n.t('{0} Called: {1}', sentence, url);
  await notices.warn(named, action ?? { title: l10n.t('Test Again'), command: Command.testConnection });
}
