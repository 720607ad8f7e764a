import { type Disposable, l10n, Uri } from 'vscode';
import type { LineRange } from '../../../base/lines.ts';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { openDocument } from '../../../editor/files/openDocument.ts';
import { workspaceFolderFor } from '../../../editor/files/workspaceFolder.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import { pendingExcerpt, toPendingRange } from '../../review/pendingText.ts';
import { pendingHunks, renamedTo } from '../../review/reviewedFile.ts';
import { toFileRange } from '../../review/reviewText.ts';
import { sharedPath } from '../documentNames.ts';
import type { Target } from '../target.ts';
import {
  type ChangeSet,
  type ChangeSets,
  createChangeSets,
  isSetFile,
  type ProposedSet,
  pendingOf,
  type ReplacedChanges,
} from './changeSet.ts';
import { createChangesView } from './changesView.ts';
import { createCheckpoints } from './decide/checkpoints.ts';
import { createDecisions } from './decide/decisions.ts';
import { restoreFiles } from './decide/restore.ts';
import { createReviewEditors } from './editor/reviewEditors.ts';
import { createReviewLenses } from './editor/reviewLenses.ts';
import { keepSets } from './keptSets.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import type { ReviewedDocument } from './reviewedDocument.ts';

/** The review of proposed changes, wherever they come from. */
export interface Reviews extends Disposable {
  readonly sets: ChangeSets;
  /** Shows a set, its first file in the editor. What is pending in its files stays, but where the two meet. */
  propose(proposed: ProposedSet): Promise<ChangeSet>;
  /** Shows the first file of a set in the editor, at its first change. */
  open(set: ChangeSet): Promise<void>;
  /** Takes a set away of which nothing came; what else is pending in its files is as it was. */
  withdraw(set: ChangeSet): Promise<void>;
  /** The lines of a file once all that is pending is accepted; undefined where nothing is. */
  pendingTextOf(uri: Uri): readonly string[] | undefined;
  /** The file that is proposed to be at a path where there is none yet. */
  newFileAt(path: string): Uri | undefined;
  /** The parts of that text that are not the file's own. */
  pendingExcerptOf(uri: Uri): string;
  /** What is to be edited: in the place of lines of a review, those of its file. */
  toFile(target: Target): Promise<Target>;
  /** Lines of a file as lines of its pending text. */
  toPending(uri: Uri, lines: LineRange): LineRange;
}

export function createReviews({ context, notices, log }: Services): Reviews {
  const owned = new Disposables();
  const sets = owned.add(createChangeSets());
  const editors = owned.add(createReviewEditors(sets));
  const folderFor = (kind: string) =>
    workspaceFolderFor(kind, context, isSetFile, (error) => log.warn(describeForLog(error)));
  const unnamed = { path: Uri.joinPath(context.globalStorageUri, 'checkpoints').fsPath, ready: Promise.resolve() };
  const checkpoints = owned.add(createCheckpoints(folderFor('checkpoints') ?? unnamed, log));
  const decisions = createDecisions(notices, sets, editors, checkpoints);
  owned.add(createReviewLenses(sets, editors));
  owned.add(createChangesView(sets));
  const kept = owned.add(keepSets(folderFor('proposed'), sets, notices, log));
  const restored = kept.restore().catch((error: unknown) => log.warn(describeForLog(error)));
  owned.add(registerReviewCommands(notices, sets, editors, decisions, restored));
  owned.add(registerCommand(Command.editRestore, notices, (id) => restoreFiles(checkpoints, notices, id)));
  owned.add(sets.onDidReplace((replaced) => void notices.info(replaced.map(replacedText).join(' '))));

  async function open(set: ChangeSet): Promise<void> {
    const [first] = set.documents;
    if (first !== undefined) await editors.open(first, pendingOf(set, first)[0]?.line);
  }

  return {
    sets,
    async propose(proposed) {
      const set = sets.add(proposed);
      await open(set);
      return set;
    },
    open,
    async withdraw(set) {
      const isLeft = ({ file }: ReviewedDocument): boolean => pendingHunks(file).some((hunk) => hunk.set !== set.id);
      for (const document of set.documents) if (!isLeft(document)) await editors.close(document);
      sets.remove(set);
    },
    pendingTextOf: (uri) => sets.find(uri.toString())?.pendingText,
    newFileAt(path) {
      const documents = sets.all.flatMap((set) => set.documents);
      const placeOf = ({ uri, isNew, file }: ReviewedDocument): Uri | undefined => {
        const to = renamedTo(file);
        return to === undefined ? (isNew ? uri : undefined) : Uri.parse(to, true);
      };
      const isMeant = (place: Uri | undefined): boolean => place !== undefined && sharedPath(place) === path;
      return documents.find((document) => isMeant(placeOf(document)))?.uri;
    },
    pendingExcerptOf(uri) {
      const document = sets.find(uri.toString());
      return document === undefined ? '' : pendingExcerpt(document.file);
    },
    async toFile(target) {
      const review = target.kind === 'none' ? undefined : editors.reviewOf(target.document);
      if (target.kind === 'none' || review === undefined || review.document.isNew) return target;
      const document = await openDocument(review.document.uri);
      const { first, last } = toFileRange(review.text, target.lines);
      const end = document.lineCount - 1;
      return { ...target, document, lines: { first: Math.min(first, end), last: Math.min(last, end) } };
    },
    toPending(uri, lines) {
      const document = sets.find(uri.toString());
      return document === undefined ? lines : toPendingRange(document.file, lines);
    },
    dispose: () => owned.dispose(),
  };
}

function replacedText({ title, count }: ReplacedChanges): string {
  return count === 1
    ? l10n.t('This edit replaces 1 proposed change of “{0}”.', title)
    : l10n.t('This edit replaces {0} proposed changes of “{1}”.', count, title);
}
