import type { Disposable } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import type { TranslationSearch } from '../../../editor/files/translationSearch.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import type { TextTabs } from '../../../editor/text/textTabs.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import type { TokenStore } from '../../confidence/tokenStore.ts';
import { createCompletionSources } from '../../context/completionSources.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import type { WorkspaceSearch } from '../../context/workspaceContext.ts';
import type { History } from '../../history/history.ts';
import type { ImageStore } from '../../history/imageStore.ts';
import type { EditorConfidence } from '../confidence/editorConfidence.ts';
import { type Attachments, createAttachments } from '../context/attachments.ts';
import { type ContextAdder, createContextAdder } from '../context/contextAdder.ts';
import { createImages } from '../context/images.ts';
import type { AttachmentViewer } from '../context/openAttachment.ts';
import type { ReadPrompts } from '../context/prompts/promptFiles.ts';
import { createPromptSource } from '../context/prompts/promptSource.ts';
import { createQuestionSearch } from '../context/questionSearch.ts';
import { createContextSources } from '../context/sources/contextSources.ts';
import type { SwitchOptions } from '../conversations/conversationSwitch.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { createShownConversation, type ShownConversation } from '../conversations/shownConversation.ts';
import { type ChatPanel, createChatPanel } from '../panel/chatPanel.ts';
import type { CodeReview } from '../panel/code/applyCode.ts';
import type { DiagramPreview } from '../panel/code/previewDiagram.ts';
import type { Handle, PanelView } from '../panel/page/panelPage.ts';
import { modelOf } from '../panel/windowGauge.ts';

/** A place that shows a conversation, the view or a tab: what it shows, what is attached there, and its page. */
export interface Surface extends Disposable {
  readonly shown: ShownConversation;
  readonly attachments: Attachments;
  readonly adder: ContextAdder;
  readonly panel: ChatPanel;
}

/** What all surfaces share. */
export interface Shared {
  readonly services: Services;
  readonly conversations: OpenConversations;
  /** For questions about the workspace; undefined when the code search did not start. */
  readonly searcher: WorkspaceSearch | undefined;
  readonly instructions: InstructionFiles;
  readonly prompts: ReadPrompts;
  /** For code of answers; undefined when the edits did not start. */
  readonly review: CodeReview | undefined;
  readonly translations: TranslationSearch;
  readonly diagrams: DiagramPreview;
  readonly tokens: TokenStore;
  readonly confidence: EditorConfidence;
  readonly versionTabs: TextTabs;
  readonly history: History;
  readonly files: WorkspaceFiles;
  readonly models: KnownModels;
  readonly images: ImageStore;
  readonly viewer: AttachmentViewer;
}

/** What one surface is begun with. */
export interface SurfaceOptions extends SwitchOptions {
  readonly makeView: (handle: Handle) => PanelView;
  readonly onFocus: () => void;
}

export function createSurface(shared: Shared, options: SurfaceOptions): Surface {
  const { services, conversations, searcher, instructions, prompts, history, files, models, viewer, review, diagrams } =
    shared;
  const { connection, notices } = services;
  const owned = new Disposables();
  const shown = owned.add(createShownConversation(conversations, options));
  const attachments = owned.add(createAttachments(notices));
  const search = owned.add(createQuestionSearch(searcher, shown.onDidSwitch, attachments, notices));
  const images = createImages({
    attachments,
    notices,
    models,
    model: () => modelOf(shown.conversation, connection),
    store: shared.images,
    post: (message) => panel.post(message),
  });
  const adder = createContextAdder({ attachments, files, notices, addImage: images.addFile });
  const current = (): string => shown.conversation.id;
  const sourceParts = {
    attachments,
    adder,
    search,
    files,
    history,
    notices,
    current,
    translations: shared.translations,
  };
  // What `@` and `/` offer at the message box, in this order.
  const completions = createCompletionSources(
    [...createContextSources(sourceParts), createPromptSource(prompts)],
    (error) => services.log.error(describeForLog(error)),
  );
  const { onFocus } = options;
  const { tokens, confidence, versionTabs } = shared;
  const given = { tokens, confidence, versionTabs, instructions, prompts, review, diagrams, models, viewer, onFocus };
  const parts = { shown, attachments, search, completions, adder, images, ...given };
  const panel: ChatPanel = owned.add(createChatPanel(services, parts, options.makeView));
  return { shown, attachments, adder, panel, dispose: () => owned.dispose() };
}
