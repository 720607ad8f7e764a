import type { Disposable } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import type { Services } from '../../../editor/services.ts';
import { onSettingChange } from '../../../editor/settings.ts';
import type { TextTabs } from '../../../editor/text/textTabs.ts';
import { window } from '../../../editor/text/window.ts';
import type { MessageView } from '../../../webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, PanelState, ToChatPanel } from '../../../webview/shared/protocol/protocol.ts';
import type { TokenStore } from '../../confidence/tokenStore.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import type { Question } from '../../conversation/conversation.ts';
import type { EditorConfidence } from '../confidence/editorConfidence.ts';
import type { EditedQuestions } from '../context/editedQuestions.ts';
import type { NextAttachments } from '../context/nextAttachments.ts';
import type { AttachmentViewer } from '../context/openAttachment.ts';
import type { OpenFile } from '../context/openFile.ts';
import type { ReadPrompts } from '../context/prompts/promptFiles.ts';
import { type Suggestion, suggest } from '../context/suggestions.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';
import { actIn, type WrittenContext } from './actIn.ts';
import type { HoldBack } from './answer/askAgain.ts';
import type { CodeReview } from './code/applyCode.ts';
import type { DiagramPreview } from './code/previewDiagram.ts';
import { createComparing, isAboutComparison } from './comparison/comparing.ts';
import { fieldViews } from './drawerView.ts';
import { messageView, patchView } from './messageView.ts';
import { findFiles } from './namedFiles.ts';
import { createKeptMessages } from './page/keptMessages.ts';
import { createOutbox, cutMessage } from './page/outbox.ts';
import type { Handle, PanelView } from './page/panelPage.ts';
import { createStatePost } from './page/statePost.ts';
import { panelState } from './panelState.ts';
import { panelStrings } from './strings.ts';
import { createWindowGauge } from './windowGauge.ts';

export interface ChatPanel extends Pick<PanelView, 'focus' | 'reveal' | 'isVisible' | 'post'>, Disposable {
  /** Goes to a message of the conversation, and marks words in it. */
  showMessage(message: string, words: readonly string[]): Promise<void>;
  /** Opens the bar that finds a text in the conversation. */
  find(): Promise<void>;
  /** Puts words into the message box, before what is there. */
  giveBack(text: string): Promise<void>;
  /** Opens the drawer with what the conversation is asked with. */
  openDrawer(): Promise<void>;
  /** Has the user copy the request that the message box would send, as code. */
  copyRequest(): Promise<void>;
  /** Has the user choose who answers what is in the message box, or the last question again. */
  compare(): Promise<void>;
  /** Goes on in a new conversation from a message, the last one by itself. The words of a question go into the box there. */
  fork(message?: string): Promise<void>;
}

/** What a panel shows, and who hears of its focus. */
export interface PanelParts extends WrittenContext {
  readonly shown: ShownConversation;
  /** Those of the next question, with the open file where it goes along. */
  readonly attachments: NextAttachments;
  readonly openFile: Pick<OpenFile, 'set' | 'onDidChange'>;
  /** Questions that are being edited, with what goes along with each. */
  readonly edited: EditedQuestions;
  readonly viewer: AttachmentViewer;
  readonly models: KnownModels;
  readonly instructions: InstructionFiles;
  readonly prompts: ReadPrompts;
  readonly review: CodeReview | undefined;
  readonly diagrams: DiagramPreview;
  readonly tokens: Pick<TokenStore, 'of'>;
  readonly confidence: Pick<EditorConfidence, 'expect'>;
  readonly versionTabs: TextTabs;
  readonly onFocus: () => void;
}

/**
 * The chat panel. The host has the true state: a page is sent the changes, and a new page asks for all.
 * @param makeView makes the view or tab that the panel stands in
 */
export function createChatPanel(
  services: Services,
  parts: PanelParts,
  makeView: (handle: Handle) => PanelView,
): ChatPanel {
  const { shown, attachments, search, edited, instructions, onFocus } = parts;
  const { connection, client, notices } = services;
  const owned = new Disposables();
  const view = owned.add(makeView(handle));
  const outbox = createOutbox<MessageView>((patches) => view.post({ type: 'patches', patches }));
  let suggestions: readonly Suggestion[] = [];
  const { tell, sendKept } = createKeptMessages(view);
  const statePost = createStatePost(view, readState);
  const updateState = () => void statePost.update();
  const gauge = createWindowGauge({ ...parts, connection, onKnown: updateState });
  const holdBack: HoldBack = (held) => tell({ type: 'doesNotFit', ...held });
  const giveBack = (text: string): void => tell({ type: 'takenBack', text });
  const comparing = owned.add(createComparing({ services, ...parts, post: view.post, tell }));
  const page = { giveBack, holdBack, post: view.post };
  const actions = { ...parts, ...page, client, notices, gauge, suggestions: () => suggestions };

  function readState(): Promise<PanelState> {
    suggestions = suggest();
    const { conversation, queue } = shown;
    const now = { connection, client, conversation, queue, suggestions, search: search.state, window: gauge.view() };
    return panelState({
      ...now,
      attachments: attachments.chosen,
      openFile: attachments.openFile,
      edited: edited.list,
      instructions: instructions.list,
    });
  }

  async function show(): Promise<void> {
    await shown.restored();
    const state = await statePost.read();
    const { id, seq, messages } = shown.conversation;
    const views = messages.map(messageView);
    outbox.reset(views, seq);
    const cut = views.map(cutMessage);
    view.post({ type: 'show', ...texts(), conversation: id, seq, messages: cut, state });
    comparing.resend();
    sendKept();
  }

  async function handle(message: FromChatPanel): Promise<void> {
    if (message.type === 'ready') await show();
    else if (message.type === 'drawn') outbox.drawn(message.seq);
    else if (message.type === 'focused') onFocus();
    else if (message.type === 'takeBack') takeBack(shown.takeBack(message.question));
    else if (message.type === 'fork') await fork(message.message);
    else if (message.type === 'findFiles') view.post({ type: 'files', found: await findFiles(message.paths) });
    else if (isAboutComparison(message)) await comparing.take(message);
    else await actIn(message, parts, actions);
  }

  async function showAnd(next: ToChatPanel): Promise<void> {
    await view.show();
    tell(next);
  }

  const fork = async (message?: string): Promise<void> => takeBack(await shown.fork(message));

  /** The words go back into the box, the attachments beside it. */
  function takeBack(question: Pick<Question, 'text' | 'attachments'> | undefined): void {
    if (question === undefined) return;
    for (const attachment of question.attachments) attachments.add(attachment);
    giveBack(question.text);
  }

  owned.add(
    shown.onDidPatch((patches) => {
      const { messages } = shown.conversation;
      outbox.push(patches.map((patch) => patchView(patch, messages)));
      if (patches.some(({ change }) => change.kind !== 'append')) updateState();
    }),
  );
  // The end of a version that is not shown is no patch.
  owned.add(shown.onDidTake(({ type }) => type === 'end' && updateState()));
  owned.add(shown.onDidSwitch(() => void show()));
  owned.add(onStateChange(parts, connection, updateState));

  return {
    focus: view.focus,
    reveal: view.reveal,
    post: view.post,
    ...tellsPage(showAnd),
    fork,
    get isVisible() {
      return view.isVisible;
    },
    dispose: () => owned.dispose(),
  };
}

/** Runs with each change of what the panel shows besides the messages. */
function onStateChange(parts: PanelParts, connection: Services['connection'], run: () => void): Disposable {
  const owned = new Disposables();
  const { shown, attachments, openFile, edited, search, instructions } = parts;
  const changing = [attachments, openFile, edited, search, connection, instructions];
  for (const { onDidChange } of changing) owned.add(onDidChange(run));
  for (const on of [shown.onDidChangeQueue, shown.onDidConfigure]) owned.add(on(run));
  owned.add(onSettingChange(shownSettings, run));
  owned.add(window.onDidChangeActiveTextEditor(run));
  return owned;
}

type TellsPage = Pick<ChatPanel, 'showMessage' | 'find' | 'compare' | 'copyRequest' | 'openDrawer' | 'giveBack'>;

/** What shows the panel and tells the page something. */
function tellsPage(showAnd: (next: ToChatPanel) => Promise<void>): TellsPage {
  return {
    // The page waits for the message, which may be still on its way.
    showMessage: (message, words) => showAnd({ type: 'reveal', message, words }),
    find: () => showAnd({ type: 'find' }),
    compare: () => showAnd({ type: 'offerComparison' }),
    copyRequest: () => showAnd({ type: 'offerRequest' }),
    openDrawer: () => showAnd({ type: 'drawer' }),
    giveBack: (text) => showAnd({ type: 'takenBack', text }),
  };
}

/** What a page is told once. */
const texts = () => ({ strings: panelStrings(), fields: fieldViews() });

/** Settings of which the panel shows something. */
const shownSettings = [
  'parley.models.capabilities',
  'parley.chat.systemPrompt',
  'parley.chat.extraBody',
  'parley.chat.stream',
] as const;
