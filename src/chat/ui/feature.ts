import * as path from 'node:path';
import { type Disposable, Uri } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { createInstructionFiles } from '../../editor/files/instructionFiles.ts';
import type { TranslationSearch } from '../../editor/files/translationSearch.ts';
import type { Services } from '../../editor/services.ts';
import { createTextTabs } from '../../editor/text/textTabs.ts';
import type { WorkspaceFiles } from '../../workspace/workspaceFiles.ts';
import { createTokenStore } from '../confidence/tokenStore.ts';
import type { KnownModels } from '../context/modelFacts.ts';
import type { WorkspaceSearch } from '../context/workspaceContext.ts';
import { createHistory } from '../history/history.ts';
import { createImageStore } from '../history/imageStore.ts';
import { registerAsk } from './commands/ask.ts';
import { registerChatCommands } from './commands/chatCommands.ts';
import { registerConfigurationCommands } from './commands/configurationCommands.ts';
import { registerContextCommands } from './commands/contextCommands.ts';
import { registerConversationCommands } from './commands/conversationCommands.ts';
import { registerHistoryCommands } from './commands/historyCommands.ts';
import { registerSelectionCommands } from './commands/selectionCommands.ts';
import { createEditorConfidence } from './confidence/editorConfidence.ts';
import { createAttachmentViewer } from './context/openAttachment.ts';
import { registerPromptCommands } from './context/prompts/promptCommands.ts';
import { createPromptReader } from './context/prompts/promptFiles.ts';
import { createOpenConversations } from './conversations/openConversations.ts';
import { createUnsavedNotice } from './conversations/unsaved.ts';
import { createConversationsView } from './list/conversationList.ts';
import { createConversationSearch } from './list/conversationSearch.ts';
import type { CodeReview } from './panel/code/applyCode.ts';
import { createDiagramPreview } from './panel/code/previewDiagram.ts';
import { createSurfaces } from './surfaces/surfaces.ts';

/** What the chat is given of other parts of Parley. */
export interface ChatNeeds {
  /** For questions about the workspace; undefined when the code search did not start. */
  readonly searcher: WorkspaceSearch | undefined;
  readonly files: WorkspaceFiles;
  readonly models: KnownModels;
  /** For code of answers; undefined when the edits did not start. */
  readonly review: CodeReview | undefined;
  readonly translations: TranslationSearch;
}

/** The chat panel, the list of conversations, their commands, and the commands on a selection. */
export function registerChat(
  services: Services,
  { searcher, files, models, review, translations }: ChatNeeds,
): Disposable {
  const owned = new Disposables();
  const storage = services.context.globalStorageUri.fsPath;
  const folder = path.join(storage, 'conversations');
  const history = createHistory(folder, createUnsavedNotice(services.notices, services.log));
  const instructions = owned.add(createInstructionFiles());
  const promptFolder = Uri.joinPath(services.context.globalStorageUri, 'prompts');
  const tokens = createTokenStore();
  const confidence = owned.add(createEditorConfidence(services, tokens));
  const prompts = createPromptReader(promptFolder);
  const conversations = owned.add(
    createOpenConversations({ ...services, instructions, models, review, tokens }, history),
  );
  const images = createImageStore(path.join(storage, 'images'));
  const viewer = owned.add(createAttachmentViewer(images));
  const diagrams = owned.add(createDiagramPreview());
  const versionTabs = owned.add(createTextTabs('parley-version'));
  const context = {
    tokens,
    confidence,
    versionTabs,
    searcher,
    history,
    files,
    models,
    images,
    viewer,
    review,
    translations,
    diagrams,
  };
  const surfaces = owned.add(createSurfaces({ services, conversations, instructions, prompts, ...context }));
  const search = owned.add(createConversationSearch(history));
  const list = owned.add(createConversationsView(conversations, history, search, surfaces));
  owned.add(registerHistoryCommands(services, { history, conversations, surfaces, search, list }));
  owned.add(registerAsk(services.log, surfaces));
  owned.add(registerChatCommands(services.notices, surfaces));
  owned.add(registerConversationCommands({ notices: services.notices, conversations, history, surfaces }));
  owned.add(registerSelectionCommands(services.notices, surfaces, prompts));
  owned.add(registerContextCommands(services.notices, surfaces));
  owned.add(registerConfigurationCommands(services, conversations, surfaces));
  owned.add(registerPromptCommands(services.notices, promptFolder));
  return owned;
}
