import { commands, l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../../../base/errors.ts';
import { describeForLog } from '../../../../editor/log.ts';
import { setTeamStore } from '../../../../editor/sentences/errorButtons.ts';
import { errorText } from '../../../../editor/sentences/errorText.ts';
import { isWarning } from '../../../../editor/sentences/isWarning.ts';
import { teamStoreSentence } from '../../../../editor/sentences/teamStoreText.ts';
import type { Services } from '../../../../editor/services.ts';
import { window } from '../../../../editor/text/window.ts';
import { Command } from '../../../../ids/ids.ts';
import type { Endpoint } from '../../../../service/endpoint.ts';
import type { IndexResult } from '../../../engine/engineApi.ts';
import type { ImportResult } from '../../../team/sharedFile/shareVectors.ts';
import { chunksText, filesText, needsAnew, numberText, sentenceOf } from '../../shared/sentences.ts';
import type { PausedBy } from '../../shared/state.ts';

/** Says how much was indexed, and what that cost. */
export function sayDone(
  { notices }: Services,
  endpoint: Endpoint | undefined,
  { files, embedded, reused, refused = 0, team }: IndexResult,
  shared?: ImportResult,
): void {
  if (endpoint === undefined) {
    void notices.info(
      l10n.t('Searching by keywords: {0} indexed. Connect a service to search by meaning.', filesText(files)),
      { title: l10n.t('Connect'), command: Command.connect },
    );
    return;
  }
  const search = { title: l10n.t('Search'), command: Command.searchQuery };
  const ofFile = shared === undefined || shared.taken === 0 ? '' : ` ${sharedText(shared.taken)}`;
  const toTeam = team === undefined || team.given === 0 ? '' : ` ${givenText(team.given)}`;
  const done = `${doneText(files, embedded, reused)}${ofFile}${toTeam}`;
  if (refused === 0) return void notices.info(done, search);
  const left =
    refused === 1
      ? l10n.t('{0} 1 text is found by words alone: the service cannot take it.', done)
      : l10n.t('{0} {1} texts are found by words alone: the service cannot take them.', done, numberText(refused));
  void notices.info(left, { title: l10n.t('Show Report'), command: Command.searchReport });
}

/** A text in several places is sent once, so texts that were not sent need not have been known before. */
function doneText(files: number, embedded: number, reused: number): string {
  const known = chunksText(reused);
  if (embedded === 0) return l10n.t('The index of {0} is up to date; nothing was sent.', filesText(files));
  return reused === 0
    ? l10n.t('Indexed {0}: {1} sent.', filesText(files), chunksText(embedded))
    : l10n.t('Indexed {0}: {1} sent; {2} needed no request.', filesText(files), chunksText(embedded), known);
}

function givenText(given: number): string {
  return given === 1
    ? l10n.t('The team index got 1 vector.')
    : l10n.t('The team index got {0} vectors.', numberText(given));
}

/** The team index could not be asked: the run goes on without it. */
export function sayTeamProblem({ notices }: Pick<Services, 'notices'>, problem: string): void {
  const sentence = l10n.t('{0} Parley goes on without it.', teamStoreSentence(problem));
  void notices.warn(sentence, setTeamStore());
}

function sharedText(taken: number): string {
  return taken === 1
    ? l10n.t('1 chunk got its vector from the shared file.')
    : l10n.t('{0} got their vectors from the shared file.', chunksText(taken));
}

/** A pause by the user shows in the status bar; one by the budget needs a message. */
export function sayPaused({ notices }: Services, by: PausedBy): void {
  if (by === 'user') return;
  void notices.info(l10n.t('The daily token budget is spent. Indexing goes on tomorrow; what came back is kept.'), {
    title: l10n.t('Change Budget'),
    command: 'workbench.action.openSettings',
    arguments: ['parley.embeddings.dailyTokenBudget'],
  });
}

/**
 * Reports a run that ended early: the error, and Resume, which sends nothing a second time; then other remedies. Where
 * vectors have to be built again, all texts are sent a second time, so the button says so, and asks.
 */
export function sayStopped({ notices, log }: Services, error: unknown): void {
  const title = needsAnew(error) ? l10n.t('Build Anew') : l10n.t('Resume');
  const resume = { title, command: Command.searchIndex };
  if (isCancelled(error)) {
    void notices.info(l10n.t('Indexing was stopped; what came back is kept.'), resume);
    return;
  }
  log.error(describeForLog(error));
  const text = error instanceof ServiceError ? errorText(error) : undefined;
  const help = error instanceof ServiceError ? text?.action : { title: l10n.t('Show Log'), command: Command.showLog };
  const actions = [resume, ...(help === undefined ? [] : [help])];
  // The status bar says that indexing failed for as long as that is so.
  const show = isWarning(error) ? window.showWarningMessage : window.showErrorMessage;
  const sentence = l10n.t('{0} What was indexed so far is kept.', sentenceOf(error));
  void show(sentence, ...actions.map((action) => action.title)).then((chosen) => {
    const action = actions.find(({ title }) => title === chosen);
    if (action !== undefined)
      void commands.executeCommand(action.command, ...('arguments' in action ? (action.arguments ?? []) : []));
  });
}
