import type { Disposable } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import type { TranslationSearch } from '../../../editor/files/translationSearch.ts';
import type { Services } from '../../../editor/services.ts';
import type { TextTabs } from '../../../editor/text/textTabs.ts';
import type { ToChatPanel } from '../../../webview/shared/protocol/protocol.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import type { TokenStore } from '../../confidence/tokenStore.ts';
import type { CompletionSource } from '../../context/completionSources.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import { planRequest, requestRoom } from '../../context/requestMessages.ts';
import { turnsOf } from '../../context/turns.ts';
import type { WorkspaceSearch } from '../../context/workspaceContext.ts';
import type { Question } from '../../conversation/conversation.ts';
import type { History } from '../../history/history.ts';
import type { ImageStore } from '../../history/imageStore.ts';
import type { EditorConfidence } from '../confidence/editorConfidence.ts';
import { type Attachments, createAttachments } from '../context/attachments.ts';
import type { ContextAdder } from '../context/contextAdder.ts';
import { createEditedQuestions } from '../context/editedQuestions.ts';
import { withOpenFile } from '../context/nextAttachments.ts';
import type { AttachmentViewer } from '../context/openAttachment.ts';
import { createOpenFile } from '../context/openFile.ts';
import type { ReadPrompts } from '../context/prompts/promptFiles.ts';
import { createPromptSource } from '../context/prompts/promptSource.ts';
import { createQuestionContext, type QuestionContext } from '../context/questionContext.ts';
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
  const contextParts = {
    ...{ services, searcher, files, history, models, translations: shared.translations },
    model: () => modelOf(shown.conversation, connection),
    store: shared.images,
    post: (message: ToChatPanel) => panel.post(message),
    current: () => shown.conversation.id,
    onDidSwitch: shown.onDidSwitch,
  };
  const makeContext = (others: readonly CompletionSource[]): QuestionContext =>
    createQuestionContext(createAttachments(notices), { ...contextParts, others });
  const next = owned.add(makeContext([createPromptSource(prompts)]));
  const edited = owned.add(createEditedQuestions(() => makeContext([])));
  /** The questions that the model reads with the next one: older ones may be left out. */
  const readQuestions = (): Question[] => {
    const { messages, summaries } = shown.conversation;
    const facts = models.known(contextParts.model());
    const { turns } = planRequest(turnsOf(messages), '', facts && requestRoom(facts), summaries);
    return turns.map(({ question }) => question);
  };
  const openFile = owned.add(createOpenFile(files));
  const { adder } = next;
  const attachments = withOpenFile(next.attachments, openFile, readQuestions);
  const { onFocus } = options;
  const { tokens, confidence, versionTabs } = shared;
  const given = { tokens, confidence, versionTabs, instructions, prompts, review, diagrams, models, viewer, onFocus };
  const parts = { shown, ...next, attachments, openFile, edited, ...given };
  const panel: ChatPanel = owned.add(createChatPanel(services, parts, options.makeView));
  return { shown, attachments, adder, panel, dispose: () => owned.dispose() };
}
