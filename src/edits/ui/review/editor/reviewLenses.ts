import { type Disposable, EventEmitter, l10n, languages, Range, type TextDocument, Uri } from 'vscode';
import { Disposables } from '../../../../editor/disposables.ts';
import { codeLens } from '../../../../editor/text/shown.ts';
import { Command } from '../../../../ids/ids.ts';
import { pendingHunks, type ReviewHunk } from '../../../review/reviewedFile.ts';
import type { ShownHunk } from '../../../review/reviewText.ts';
import type { ChangeSet, ChangeSets } from '../changeSet.ts';
import { newName } from '../renamed.ts';
import type { ReviewedDocument } from '../reviewedDocument.ts';
import type { ReviewEditors } from './reviewEditors.ts';
import { reviewScheme } from './reviewTabs.ts';

type Lens = ReturnType<typeof codeLens>;

/**
 * Accept and Reject above each hunk of a review, and in the file itself a way to its review. The provider is registered with the first
 * set and stays: VS Code goes on showing the last lenses of a provider that is gone for half a minute.
 */
export function createReviewLenses(sets: ChangeSets, editors: ReviewEditors): Disposable {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  let isRegistered = false;
  let told = '[]';
  owned.add(
    sets.onDidChange(() => {
      if (!isRegistered && sets.all.length > 0) {
        isRegistered = true;
        const provideCodeLenses = (document: TextDocument): Lens[] => lensesOf(document, sets, editors);
        owned.add(languages.registerCodeLensProvider('*', { onDidChangeCodeLenses: changed.event, provideCodeLenses }));
      }
      // VS Code moves lenses with their text, and lays an editor out again for each change of them.
      const now = JSON.stringify(sets.all.map(stateOf));
      if (now !== told) changed.fire();
      told = now;
    }),
  );
  return owned;
}

/** What decides on the lenses of a set. */
function stateOf({ id, received, documents }: ChangeSet): unknown {
  const hunks = documents.map(({ file }) =>
    pendingHunks(file).map(({ id: hunk, set, merged }) =>
      set === id && received !== undefined ? set : [hunk, merged !== undefined],
    ),
  );
  return [id, received !== undefined, hunks];
}

function lensesOf(document: TextDocument, sets: ChangeSets, editors: ReviewEditors): Lens[] {
  if (document.uri.scheme !== reviewScheme) return lensesOfFile(document, sets);
  const review = editors.reviewOf(document);
  if (review === undefined) return [];
  const isComing = ({ hunk }: ShownHunk): boolean => sets.setOf(hunk)?.received !== undefined;
  const { shown } = review.text;
  const coming = shown.find(isComing);
  const isReceiving = sets.all.some((set) => set.received !== undefined && set.documents.includes(review.document));
  const place = at((coming ?? shown[0])?.line ?? 0);
  const receiving = isReceiving ? [codeLens(place, 'loading~spin', l10n.t('Receiving…'), '')] : [];
  const own = shown.filter((each) => !isComing(each));
  const isShared = new Set(shown.map(({ hunk }) => hunk.set)).size > 1;
  return [
    ...receiving,
    ...own.flatMap((each, index) => [
      ...lensesOfHunk(each, review.document, index === 0 ? own.length : 0),
      ...lensesOfSet(each, isShared, sets),
    ]),
  ];
}

/** @param all how many hunks can be decided on at once here; none where that is offered elsewhere */
function lensesOfHunk({ hunk, line }: ShownHunk, document: ReviewedDocument, all: number): Lens[] {
  const place = at(line);
  const args = [document.uri, hunk.id];
  const [acceptTitle, rejectTitle] = titlesOf(hunk, document);
  const accept =
    hunk.merged === undefined
      ? codeLens(place, 'warning', l10n.t('You changed these lines meanwhile'), '')
      : codeLens(place, 'check', acceptTitle, Command.editAccept, args);
  const reject = codeLens(place, 'discard', rejectTitle, Command.editReject, args);
  if (all < 2) return [accept, reject];
  return [
    accept,
    reject,
    codeLens(place, 'check-all', l10n.t('Accept All {0}', all), Command.editAcceptFile, [document.uri]),
    codeLens(place, 'clear-all', l10n.t('Reject All'), Command.editRejectFile, [document.uri]),
  ];
}

function titlesOf({ whole }: ReviewHunk, { uri }: ReviewedDocument): readonly [string, string] {
  if (whole?.kind === 'delete') return [l10n.t('Accept Deletion of the File'), l10n.t('Reject Deletion')];
  if (whole?.kind === 'rename') {
    const name = newName(uri, Uri.parse(whole.to, true));
    return [l10n.t('Accept Rename to {0}', name), l10n.t('Reject Rename')];
  }
  return [l10n.t('Accept'), l10n.t('Reject')];
}

/** Which set a hunk is of, where the file has hunks of several, and whose changes it took the place of. */
function lensesOfSet({ hunk, line }: ShownHunk, isShared: boolean, sets: ChangeSets): Lens[] {
  const title = sets.setOf(hunk)?.title;
  const place = at(line);
  return [
    ...(isShared && title !== undefined ? [codeLens(place, 'diff-multiple', `“${title}”`, '')] : []),
    ...(hunk.replaces ?? []).map((old) => codeLens(place, 'info', l10n.t('Replaces a change of “{0}”', old), '')),
  ];
}

function lensesOfFile({ uri }: TextDocument, sets: ChangeSets): Lens[] {
  const found = sets.find(uri.toString());
  const isWhole = (hunk: ReviewHunk): boolean => sets.setOf(hunk)?.received === undefined;
  const [first, ...others] = found === undefined ? [] : pendingHunks(found.file).filter(isWhole);
  if (first === undefined) return [];
  const title = others.length === 0 ? l10n.t('Review Change') : l10n.t('Review {0} Changes', others.length + 1);
  const place = at(first.line);
  return [
    codeLens(place, 'diff', title, Command.editReview, [uri]),
    codeLens(place, 'check', l10n.t('Accept All'), Command.editAcceptFile, [uri]),
    codeLens(place, 'discard', l10n.t('Reject All'), Command.editRejectFile, [uri]),
  ];
}

function at(line: number): Range {
  return new Range(line, 0, line, 0);
}
