import { commands, type Disposable, env, l10n, type WebviewView, type WebviewViewProvider, window } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { errorText } from '../../editor/errorText.ts';
import type { Services } from '../../editor/services.ts';
import { listen, resourceRoots, writePage } from '../../editor/webviewHost.ts';
import { Command, View } from '../../ids.ts';
import type { FromChatPanel, PanelState, ToChatPanel } from '../../webview/protocol.ts';
import type { Chats } from './chats.ts';
import { insertAtCursor } from './insert.ts';
import { openLink } from './links.ts';
import { parseFromPanel } from './messages.ts';
import { chipView, messageView, patchView, serviceErrorOf, tokenCount } from './messageView.ts';
import type { QuestionSearch } from './questionSearch.ts';
import { panelStrings } from './strings.ts';
import { type Suggestion, suggest } from './suggestions.ts';

export interface Panel extends Disposable {
  /** Shows the panel and gives it the focus, the caret in the message box. */
  focus(): Promise<void>;
  /** Shows the panel, if it was open before, and leaves the focus where it is. */
  reveal(): void;
}

/** The chat view. The page is thrown away whenever it is hidden; the truth is here, and a new page asks for it. */
export function createPanel(services: Services, chats: Chats, search: QuestionSearch): Panel {
  const { context, connection, notices, log } = services;
  const owned = new Disposables();
  let view: WebviewView | undefined;
  let ready = false;
  let focusWhenReady = false;
  let suggestions: Suggestion[] = [];

  const post = (message: ToChatPanel): void => {
    if (ready) void view?.webview.postMessage(message);
  };

  async function readState(): Promise<PanelState> {
    suggestions = suggest();
    const last = chats.conversation.messages.findLast((message) => message.role === 'assistant' && message.usage);
    const tokens = last?.role === 'assistant' ? last.usage?.totalTokens : undefined;
    const missing = await connection.missing('chat');
    return {
      connected: missing === undefined,
      keyMissing: missing === 'key',
      model: connection.model('chat'),
      tokens: tokens === undefined ? '' : tokenCount(tokens),
      chips: chats.attachments.map(chipView),
      search: search.state,
      suggestions: suggestions.map((suggestion) => suggestion.text),
    };
  }

  const updateState = async (): Promise<void> => {
    if (ready) post({ type: 'state', state: await readState() });
  };

  async function show(): Promise<void> {
    await chats.restored();
    const state = await readState();
    const { id, seq, messages } = chats.conversation;
    post({ type: 'show', strings: panelStrings(), conversation: id, seq, messages: messages.map(messageView), state });
  }

  async function handle(message: FromChatPanel): Promise<void> {
    switch (message.type) {
      case 'ready':
        ready = true;
        await show();
        if (focusWhenReady) post({ type: 'focus' });
        focusWhenReady = false;
        return;
      case 'send':
        search.stop();
        return void (await chats.ask(message.text, chats.takeAttachments()));
      case 'suggestion': {
        const chosen = suggestions[message.index];
        if (chosen !== undefined) await chats.ask(chosen.text, [...chats.takeAttachments(), ...chosen.attachments()]);
        return;
      }
      case 'stop':
        return chats.stop();
      case 'retry':
        return void (await chats.retry());
      case 'connect':
        return void (await commands.executeCommand(Command.connect));
      case 'setKey':
        return void (await commands.executeCommand(Command.setApiKey));
      case 'pickModel':
        return void (await commands.executeCommand(Command.chatPickModel));
      case 'helpWith':
        return helpWith(message.message);
      case 'detach':
        return chats.detach(message.chip);
      case 'search':
        return search.run(message.text);
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'insert':
        return insertAtCursor(message.text, notices);
      case 'openLink':
        return openLink(message.href, notices);
    }
  }

  async function helpWith(id: string): Promise<void> {
    const message = chats.conversation.messages.find((candidate) => candidate.id === id);
    const error = message?.role === 'assistant' && message.error ? serviceErrorOf(message.error) : undefined;
    const action = error && errorText(error).action;
    if (action) await commands.executeCommand(action.command, ...(action.arguments ?? []));
  }

  const provider: WebviewViewProvider = {
    resolveWebviewView(resolved) {
      view = resolved;
      ready = false;
      const { webview } = resolved;
      webview.options = { enableScripts: true, localResourceRoots: resourceRoots(context.extensionUri) };
      const shown = new Disposables();
      shown.add(
        listen(
          webview,
          parseFromPanel,
          (message) => handle(message).catch((error: unknown) => notices.error(error)),
          () => log.warn('The chat panel sent a message that is not in the protocol.'),
        ),
      );
      resolved.onDidChangeVisibility(() => {
        // A hidden page is gone; the next one says that it is ready.
        if (!resolved.visible) ready = false;
      });
      resolved.onDidDispose(() => {
        shown.dispose();
        if (view === resolved) view = undefined;
      });
      writePage(webview, context.extensionUri, { script: 'chat', language: env.language, title: l10n.t('Chat') });
    },
  };

  owned.add(window.registerWebviewViewProvider(View.chat, provider));
  owned.add(
    chats.onDidPatch((patches) => {
      post({ type: 'patches', patches: patches.map(patchView) });
      if (patches.some(({ change }) => change.kind === 'put')) void updateState();
    }),
  );
  owned.add(chats.onDidSwitch(() => void show()));
  owned.add(chats.onDidChangeAttachments(() => void updateState()));
  owned.add(search.onDidChange(() => void updateState()));
  owned.add(connection.onDidChange(() => void updateState()));
  owned.add(window.onDidChangeActiveTextEditor(() => void updateState()));

  return {
    async focus() {
      focusWhenReady = true;
      await commands.executeCommand(`${View.chat}.focus`);
      if (!ready) return;
      post({ type: 'focus' });
      focusWhenReady = false;
    },
    reveal: () => view?.show(true),
    dispose: () => owned.dispose(),
  };
}
