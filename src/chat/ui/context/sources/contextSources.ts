import { l10n } from 'vscode';
import type { TranslationSearch } from '../../../../editor/files/translationSearch.ts';
import type { Notices } from '../../../../editor/notices.ts';
import type { WorkspaceFiles } from '../../../../workspace/workspaceFiles.ts';
import type { CompletionSource } from '../../../context/completionSources.ts';
import type { History } from '../../../history/history.ts';
import type { Attachments } from '../attachments.ts';
import type { ContextAdder } from '../contextAdder.ts';
import type { QuestionSearch } from '../questionSearch.ts';
import { copyTerminalSelection } from '../terminal.ts';
import { createDiffSource } from './diffSource.ts';
import { createFileSources } from './fileSource.ts';
import {
  createConversationSource,
  createSearchSource,
  createSelectionSource,
  createTerminalSource,
} from './otherSources.ts';
import { createProblemSource } from './problemSource.ts';
import { createSearchableFiles } from './searchableFiles.ts';
import { createSymbolSource } from './symbolSource.ts';
import { createTranslationSource } from './translationSource.ts';

/** What the sources of context work with. */
export interface SourceParts {
  readonly attachments: Attachments;
  readonly adder: ContextAdder;
  readonly search: QuestionSearch;
  readonly files: WorkspaceFiles;
  readonly history: History;
  readonly notices: Notices;
  readonly translations: TranslationSearch;
  /** The id of the conversation that is shown. */
  readonly current: () => string;
}

/** All that `@` offers, in this order. */
export function createContextSources(parts: SourceParts): CompletionSource[] {
  const { attachments, adder, search, files, history, notices, current, translations } = parts;
  return [
    createSelectionSource(attachments),
    ...createFileSources(createSearchableFiles(files), adder),
    createSymbolSource(adder),
    createProblemSource(adder),
    createDiffSource(files, adder, notices),
    createTerminalSource(() => addTerminal(adder, notices)),
    createSearchSource(search),
    createConversationSource(history, current, adder),
    createTranslationSource(translations, adder),
  ];
}

/** Attaches what is selected in the active terminal. */
export async function addTerminal(adder: ContextAdder, notices: Notices): Promise<void> {
  const text = await copyTerminalSelection();
  if (text.trim() === '') return notices.warn(l10n.t('Nothing is selected in the terminal.'));
  const lines = text.replace(/\n$/, '').split('\n').length;
  const label = lines === 1 ? l10n.t('Terminal, 1 line') : l10n.t('Terminal, {0} lines', lines);
  await adder.addText({ kind: 'terminal', label, path: '', languageId: '', text });
}
