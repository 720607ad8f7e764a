import { basename } from 'node:path';
import { commands, l10n, Uri, window } from 'vscode';
import { errorText } from '../../editor/errorText.ts';
import { Command } from '../../ids.ts';
import type { Outcome } from '../translate.ts';
import { pickTranscript } from './openSaved.ts';
import type { AudioParts } from './parts.ts';

type Done = Extract<Outcome, { transcript: unknown }>;
type Failed = Extract<Outcome, { error: unknown }>;

/** Opens the first result, lists the others, and says what failed with a way to try that again. */
export function reportOutcomes(outcomes: readonly Outcome[], stopped: boolean, { services, panels }: AudioParts): void {
  const done = outcomes.filter((outcome): outcome is Done => 'transcript' in outcome);
  const failed = outcomes.filter((outcome): outcome is Failed => 'error' in outcome);
  const [first] = done;
  if (first !== undefined) panels.show(first.transcript, first.path);
  if (done.some((outcome) => 'unsaved' in outcome)) {
    void services.notices.warn(
      l10n.t('The translation could not be kept on this disk; save it as a file before you close it.'),
    );
  }
  // Not awaited: a notice stays until the user closes it.
  if (failed.length > 0) void reportFailed(failed, outcomes.length, services.notices);
  if (done.length > 1 || (stopped && done.length > 0)) void offerOthers(done, stopped, panels);
}

async function reportFailed(
  failed: readonly Failed[],
  count: number,
  notices: AudioParts['services']['notices'],
): Promise<void> {
  const [first] = failed;
  if (first === undefined) return;
  const uris = failed.map(({ path }) => Uri.file(path));
  const retry = (): unknown => commands.executeCommand(Command.audioTranslate, uris[0], uris);
  if (count === 1) return notices.error(first.error, retry);
  const names = failed.map(({ path }) => basename(path)).join(', ');
  const { sentence } = errorText(first.error);
  await notices.warn(
    l10n.t('{0} of {1} recordings were not translated: {2}. {3}', failed.length, count, names, sentence),
    {
      title: l10n.t('Retry'),
      command: Command.audioTranslate,
      arguments: [uris[0], uris],
    },
  );
}

async function offerOthers(done: readonly Done[], stopped: boolean, panels: AudioParts['panels']): Promise<void> {
  const show = l10n.t('Show Translation');
  const sentence = stopped
    ? l10n.t('Stopped. {0} recordings were translated and are kept.', done.length)
    : l10n.t('{0} recordings are translated.', done.length);
  if ((await window.showInformationMessage(sentence, show)) !== show) return;
  const picked = await pickTranscript(done.map(({ transcript }) => transcript));
  const chosen = done.find(({ transcript }) => transcript === picked);
  if (chosen !== undefined) panels.show(chosen.transcript, chosen.path);
}
