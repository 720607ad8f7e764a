import type { Disposable } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { createCompletionSources } from '../../context/completionSources.ts';
import type { WorkspaceSearch } from '../../context/workspaceContext.ts';
import { type Attachments, createAttachments } from '../context/attachments.ts';
import type { InstructionFiles } from '../context/instructionFiles.ts';
import type { ReadPrompts } from '../context/prompts/promptFiles.ts';
import { createPromptSource } from '../context/prompts/promptSource.ts';
import { createQuestionSearch } from '../context/questionSearch.ts';
import { createSelectionSource } from '../context/sources/selectionSource.ts';
import { type Chats, type ChatsOptions, createChats } from '../currentChat.ts';
import type { OpenConversations } from '../openConversations.ts';
import { type ChatPanel, createPanel } from '../panel/chatPanel.ts';
import type { CodeReview } from '../panel/code/applyCode.ts';
import type { DiagramPreview } from '../panel/code/previewDiagram.ts';
import type { Handle, PanelView } from '../panel/panelPage.ts';

/** A place that shows a conversation, the view or a tab: what it shows, what is attached there, and its page. */
export interface Surface extends Disposable {
  readonly chats: Chats;
  readonly attachments: Attachments;
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
  readonly diagrams: DiagramPreview;
}

/** What one surface is begun with. */
export interface SurfaceOptions extends ChatsOptions {
  readonly makeView: (handle: Handle) => PanelView;
  readonly onFocus: () => void;
}

export function createSurface(shared: Shared, options: SurfaceOptions): Surface {
  const { services, conversations, searcher, instructions, prompts, review, diagrams } = shared;
  const owned = new Disposables();
  const chats = owned.add(createChats(conversations, options));
  const attachments = owned.add(createAttachments());
  const search = owned.add(createQuestionSearch(searcher, chats, attachments, services.notices));
  // What `@` and `/` offer at the message box, in this order.
  const completions = createCompletionSources(
    [createSelectionSource(attachments), createPromptSource(prompts)],
    (error) => services.log.error(describeForLog(error)),
  );
  const { onFocus } = options;
  const parts = { chats, attachments, search, completions, instructions, prompts, review, diagrams, onFocus };
  const panel = owned.add(createPanel(services, parts, options.makeView));
  return { chats, attachments, panel, dispose: () => owned.dispose() };
}
