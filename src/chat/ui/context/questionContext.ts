import type { Disposable, Event } from 'vscode';
import type { TranslationSearch } from '../../../editor/files/translationSearch.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import {
  type CompletionSource,
  type CompletionSources,
  createCompletionSources,
} from '../../context/completionSources.ts';
import type { WorkspaceSearch } from '../../context/workspaceContext.ts';
import type { History } from '../../history/history.ts';
import type { Attachments } from './attachments.ts';
import { type ContextAdder, createContextAdder } from './contextAdder.ts';
import { createImages, type ImageParts, type Images } from './images.ts';
import { createQuestionSearch, type QuestionSearch } from './questionSearch.ts';
import { createContextSources } from './sources/contextSources.ts';

/** What goes along with one question that is being written, and all that adds to it. */
export interface QuestionContext extends Disposable {
  readonly attachments: Attachments;
  readonly adder: ContextAdder;
  readonly images: Images;
  readonly search: QuestionSearch;
  /** What `@` and `/` offer at its box. */
  readonly completions: CompletionSources;
}

export interface QuestionContextParts extends Pick<ImageParts, 'models' | 'model' | 'store' | 'post'> {
  readonly services: Services;
  readonly searcher: WorkspaceSearch | undefined;
  readonly files: WorkspaceFiles;
  readonly history: History;
  readonly translations: TranslationSearch;
  /** The id of the conversation that is shown. */
  readonly current: () => string;
  /** Fires when the surface shows another conversation. */
  readonly onDidSwitch: Event<void>;
  /** What is offered after the sources of context. */
  readonly others: readonly CompletionSource[];
}

/** @param attachments of the question; disposed with the rest */
export function createQuestionContext(attachments: Attachments, parts: QuestionContextParts): QuestionContext {
  const { services, searcher, files, history, translations, current, onDidSwitch, others } = parts;
  const { notices, log } = services;
  const search = createQuestionSearch(searcher, onDidSwitch, attachments, notices);
  const images = createImages({ ...parts, attachments, notices });
  const adder = createContextAdder({ attachments, files, notices, addImage: images.addFile });
  const sources = createContextSources({ attachments, adder, search, files, history, notices, current, translations });
  const completions = createCompletionSources([...sources, ...others], (error) => log.error(describeForLog(error)));
  return {
    attachments,
    adder,
    images,
    search,
    completions,
    dispose() {
      search.dispose();
      attachments.dispose();
    },
  };
}
