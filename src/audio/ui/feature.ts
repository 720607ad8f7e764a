import { join } from 'node:path';
import { commands, type Disposable, env, Uri } from 'vscode';
import { createTaskQueue } from '../../base/taskQueue.ts';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { TranslationSearch } from '../../editor/files/translationSearch.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids/ids.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createPieceStore } from '../jobs/pieceStore.ts';
import type { TranslationOutcome } from '../jobs/translate.ts';
import { createChosenTracks } from '../recording/chosenTracks.ts';
import { removeOldCopies } from '../split/playableCopy.ts';
import { createSplitter } from '../split/splitter.ts';
import { createJournal } from '../transcript/journal.ts';
import { holdingUnsaved } from '../transcript/unsavedTexts.ts';
import { type AudioParts, partsFor, type TaskStores } from './audioServices.ts';
import { registerDecorations } from './decorations.ts';
import { registerJobCommands } from './jobs/jobCommands.ts';
import { createJobsView } from './jobs/jobsView.ts';
import { keepUnfinished } from './jobs/keepUnfinished.ts';
import { createTranscribing } from './tasks/mayTranscribe.ts';
import { registerPanels } from './transcript/panel/transcriptPanels.ts';
import { createTranslationSearch, searchTranslations } from './transcript/searchTranslations.ts';
import { registerTranscriptCommands } from './transcript/transcriptCommands.ts';
import { createTranscriptDocuments } from './transcript/transcriptDocuments.ts';
import { createTranscriptMarks } from './transcript/transcriptMarks.ts';
import { createTranscripts } from './transcript/transcripts.ts';
import { openTranslation } from './translate/openTranslation.ts';
import { translateAgain } from './translate/translateAgain.ts';
import { translate } from './translate/translateCommand.ts';

/** Answers for pieces of a recording that nobody went on with are deleted after so long, in milliseconds: a month. */
const longestUnfinished = 30 * 24 * 3_600_000;

/** The feature, and what other parts are given of it. */
export interface AudioFeature extends Disposable {
  readonly translations: TranslationSearch;
}

/** Recordings to English text, or to text as they are spoken: the commands in the explorer and the palette, the result panel, the marks in the explorer. */
export function registerAudio(services: Services): AudioFeature {
  const owned = new Disposables();
  const folder = Uri.joinPath(services.context.globalStorageUri, 'translations');
  const copies = Uri.joinPath(services.context.globalStorageUri, 'playable');
  void removeOldCopies(copies.fsPath);
  const stores = { translate: storesIn(folder), transcribe: storesIn(Uri.joinPath(folder, 'spoken')) };
  const { journal } = stores.translate;
  const transcripts = owned.add(createTranscripts(stores));
  const marks = owned.add(createTranscriptMarks(transcripts));
  const script = services.context.asAbsolutePath(join('dist', 'audioSplitter.cjs'));
  // A track in English needs the least of a translation where none is in the user's own language.
  const splitter = owned.add(createSplitter(script, undefined, [env.language, 'en']));
  const jobs = createJobs<TranslationOutcome>(() => onJobs());
  const tracks = createChosenTracks();
  const parts: AudioParts = {
    services,
    ...stores.translate,
    task: 'translate',
    stores,
    transcribing: owned.add(createTranscribing(services)),
    splitter,
    tracks,
    jobs,
    turns: createTaskQueue(),
    panels: owned.add(registerPanels({ services, transcripts, splitter, tracks, copies, onHeard: marks.show })),
    documents: owned.add(createTranscriptDocuments(transcripts)),
    decorations: owned.add(registerDecorations(journal)),
  };
  // The command is not registered by registerCommand: another extension that calls it must see it fail.
  owned.add(commands.registerCommand(Command.audioTranslate, (...args: unknown[]) => translate(args, parts)));
  const transcribe = (...args: unknown[]) => translate(args, partsFor('transcribe', parts));
  owned.add(registerCommand(Command.audioTranscribe, services.notices, transcribe));
  owned.add(registerCommand(Command.audioOpen, services.notices, (uri, task) => openTranslation(uri, task, parts)));
  const view = owned.add(createJobsView(jobs, (uris) => void translate([uris[0], uris], parts)));
  const unfinished = owned.add(keepUnfinished(services.context.workspaceState, jobs));
  function onJobs(): void {
    view.refresh();
    unfinished.save();
  }
  unfinished.restore();
  owned.add(registerJobCommands(parts));
  owned.add(registerTranscriptCommands({ ...parts, transcripts }));
  owned.add(registerCommand(Command.audioTranslateAgain, services.notices, (of) => translateAgain(of, parts)));
  owned.add(
    registerCommand(Command.audioSearch, services.notices, () =>
      searchTranslations(journal, parts.panels, services.notices),
    ),
  );
  for (const { pieces } of Object.values(stores))
    void pieces.removeOld(longestUnfinished, Date.now()).catch(() => undefined);
  const translations = createTranslationSearch(journal, (each) => parts.documents.uriOf(each, 'md'));
  return { translations, dispose: () => owned.dispose() };
}

function storesIn(folder: Uri): TaskStores {
  const pieces = createPieceStore(Uri.joinPath(folder, 'pieces').fsPath);
  return { pieces, journal: holdingUnsaved(createJournal(folder.fsPath, pieces.remove)) };
}
