import type { Disposable } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import type { Services } from '../../../editor/services.ts';
import { onSettingChange } from '../../../editor/settings.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import type { FromChatPanel, MessageView, PanelState, ToChatPanel } from '../../../webview/shared/protocol.ts';
import type { CompletionSources } from '../../context/completionSources.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import type { Question } from '../../conversation.ts';
import { createOutbox, cutMessage } from '../../outbox.ts';
import type { Attachments } from '../context/attachments.ts';
import type { ContextAdder } from '../context/contextAdder.ts';
import type { Images } from '../context/images.ts';
import type { AttachmentViewer } from '../context/openAttachment.ts';
import type { ReadPrompts } from '../context/prompts/promptFiles.ts';
import type { QuestionSearch } from '../context/questionSearch.ts';
import { type Suggestion, suggest } from '../context/suggestions.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';
import type { HoldBack } from './askAgain.ts';
import type { CodeReview } from './code/applyCode.ts';
import type { DiagramPreview } from './code/previewDiagram.ts';
import { messageView, patchView } from './messageView.ts';
import { findFiles } from './namedFiles.ts';
import { act } from './panelActions.ts';
import type { Handle, PanelView } from './panelPage.ts';
import { panelState } from './panelState.ts';
import { panelStrings } from './strings.ts';
import { createWindowGauge } from './windowGauge.ts';

export interface ChatPanel extends Pick<PanelView, 'focus' | 'reveal' | 'isVisible' | 'post'>, Disposable {
  /** Goes to a message of the conversation, and marks words in it. */
  showMessage(message: string, words: readonly string[]): Promise<void>;
  /** Opens the bar that finds a text in the conversation. */
  find(): Promise<void>;
  /** Goes on in a new conversation from a message, the last one by itself. The words of a question go into the box there. */
  fork(message?: string): Promise<void>;
}

/** What a panel shows, and who hears of its focus. */
export interface PanelParts {
  readonly shown: ShownConversation;
  readonly attachments: Attachments;
  readonly adder: ContextAdder;
  readonly images: Images;
  readonly viewer: AttachmentViewer;
  readonly search: QuestionSearch;
  readonly models: KnownModels;
  readonly completions: CompletionSources;
  readonly instructions: InstructionFiles;
  readonly prompts: ReadPrompts;
  readonly review: CodeReview | undefined;
  readonly diagrams: DiagramPreview;
  readonly onFocus: () => void;
}

/**
 * The chat panel. The host has the true state: a page is sent the changes, and a new page asks for all.
 * @param makeView makes the view or tab that the panel stands in
 */
export function createPanel(services: Services, parts: PanelParts, makeView: (handle: Handle) => PanelView): ChatPanel {
  const { shown, attachments, search, instructions, completions, onFocus } = parts;
  const { connection, notices } = services;
  const owned = new Disposables();
  const view = owned.add(makeView(handle));
  const outbox = createOutbox<MessageView>((patches) => view.post({ type: 'patches', patches }));
  let suggestions: readonly Suggestion[] = [];
  /** What a page that is hidden is told once it is there again. */
  let waiting: ToChatPanel[] = [];
  /** The state that the page was told last, as JSON. */
  let told = '';
  const gauge = createWindowGauge({ ...parts, connection, onKnown: () => void updateState() });
  const holdBack: HoldBack = (held) => tell({ type: 'doesNotFit', ...held });
  const actions = { ...parts, notices, gauge, suggestions: () => suggestions, giveBack, holdBack };

  function readState(): Promise<PanelState> {
    suggestions = suggest();
    const { conversation, queue } = shown;
    return panelState({
      connection,
      conversation,
      attachments: attachments.list,
      instructions: instructions.list,
      queue,
      suggestions,
      search: search.state,
      window: gauge.view(),
    });
  }

  async function updateState(): Promise<void> {
    if (!view.isReady) return;
    const state = await readState();
    const json = JSON.stringify(state);
    // Most patches of an answer leave the state as it was.
    if (json === told) return;
    told = json;
    view.post({ type: 'state', state });
  }

  async function show(): Promise<void> {
    await shown.restored();
    const state = await readState();
    const { id, seq, messages } = shown.conversation;
    const views = messages.map(messageView);
    outbox.reset(views, seq);
    told = JSON.stringify(state);
    const cut = views.map(cutMessage);
    view.post({ type: 'show', strings: panelStrings(), conversation: id, seq, messages: cut, state });
    if (!view.isReady) return;
    for (const message of waiting) view.post(message);
    waiting = [];
  }

  /** Sends the page a message that must not be lost while it is hidden. */
  function tell(message: ToChatPanel): void {
    if (view.isReady) view.post(message);
    else waiting.push(message);
  }

  async function handle(message: FromChatPanel): Promise<void> {
    if (message.type === 'ready') await show();
    else if (message.type === 'drawn') outbox.drawn(message.seq);
    else if (message.type === 'focused') onFocus();
    else if (message.type === 'takeBack') takeBack(shown.takeBack(message.question));
    else if (message.type === 'fork') await fork(message.message);
    else if (message.type === 'findFiles') view.post({ type: 'files', found: await findFiles(message.paths) });
    else if (message.type === 'complete') await complete(message);
    else if (message.type === 'chooseCompletion') await choose(message.id);
    else await act(message, actions);
  }

  async function complete({ trigger, text }: Extract<FromChatPanel, { readonly type: 'complete' }>): Promise<void> {
    const items = await completions.find(trigger, text);
    if (items === undefined) return;
    const offered = items.map((item) => ({ ...item, label: plain(item.label), detail: plain(item.detail) }));
    view.post({ type: 'completions', trigger, text, items: offered });
  }

  function choose(id: string): Promise<void> {
    const choosing = completions.choose(id);
    attachments.adding(choosing);
    return choosing;
  }

  async function showMessage(message: string, words: readonly string[]): Promise<void> {
    // The page waits for the message, which may be still on its way.
    await showAnd({ type: 'reveal', message, words });
  }

  async function showAnd(next: ToChatPanel): Promise<void> {
    await view.show();
    tell(next);
  }

  async function fork(message?: string): Promise<void> {
    takeBack(await shown.fork(message));
  }

  /** The words go back into the box, the attachments beside it. */
  function takeBack(question: Pick<Question, 'text' | 'attachments'> | undefined): void {
    if (question === undefined) return;
    for (const attachment of question.attachments) attachments.add(attachment);
    giveBack(question.text);
  }

  /** Puts words back into the box. */
  function giveBack(text: string): void {
    tell({ type: 'takenBack', text });
  }

  owned.add(shown.onDidChangeQueue(() => void updateState()));
  owned.add(
    shown.onDidPatch((patches) => {
      const { messages } = shown.conversation;
      outbox.push(patches.map((patch) => patchView(patch, messages)));
      if (patches.some(({ change }) => change.kind !== 'append')) void updateState();
    }),
  );
  owned.add(shown.onDidSwitch(() => void show()));
  owned.add(shown.onDidConfigure(() => void updateState()));
  for (const changes of [attachments, search, connection, instructions]) {
    owned.add(changes.onDidChange(() => void updateState()));
  }
  owned.add(onSettingChange(['parley.models.capabilities', 'parley.chat.systemPrompt'], () => void updateState()));
  owned.add(window.onDidChangeActiveTextEditor(() => void updateState()));

  return {
    focus: view.focus,
    reveal: view.reveal,
    post: view.post,
    showMessage,
    find: () => showAnd({ type: 'find' }),
    fork,
    get isVisible() {
      return view.isVisible;
    },
    dispose: () => owned.dispose(),
  };
}
