import { commands, type Disposable, env, l10n, type WebviewView } from 'vscode';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { listen, resourceRoots, writePage } from '../../../editor/webviewHost.ts';
import { View } from '../../../ids.ts';
import type { FromChatPanel, ToChatPanel } from '../../../webview/shared/protocol.ts';
import { parseFromPanel } from './panelMessages.ts';

/** The view of the panel and the page in it, which is thrown away whenever the view is hidden. */
export interface PanelView extends Disposable {
  /** Whether there is a page that takes messages. */
  readonly isReady: boolean;
  /** Sends a message to the page. It is lost where there is no page: a new one asks for all. */
  post(message: ToChatPanel): void;
  /** Shows the panel and gives it the focus, the caret in the message box. */
  focus(): Promise<void>;
  /** Shows the panel, if it was open before, and leaves the focus where it is. */
  reveal(): void;
}

/** @param handle takes each message of the page; its errors are shown to the user */
export function createPanelView(
  { context, notices, log }: Services,
  handle: (message: FromChatPanel) => Promise<void>,
): PanelView {
  const { extensionUri } = context;
  let view: WebviewView | undefined;
  let ready = false;
  let focusWhenReady = false;

  const post = (message: ToChatPanel): void => {
    if (ready) void view?.webview.postMessage(message);
  };

  function focusIfWanted(): void {
    if (focusWhenReady) post({ type: 'focus' });
    focusWhenReady = false;
  }

  async function receive(message: FromChatPanel): Promise<void> {
    if (message.type === 'ready') ready = true;
    await handle(message);
    if (message.type === 'ready') focusIfWanted();
  }

  function resolveWebviewView(resolved: WebviewView): void {
    view = resolved;
    ready = false;
    const { webview } = resolved;
    webview.options = { enableScripts: true, localResourceRoots: resourceRoots(extensionUri) };
    const listening = listen(
      webview,
      parseFromPanel,
      (message) => receive(message).catch((error: unknown) => notices.error(error)),
      () => log.warn('The chat panel sent a message that is not in the protocol.'),
    );
    resolved.onDidChangeVisibility(() => {
      // A hidden page is gone; the next one says that it is ready.
      if (!resolved.visible) ready = false;
    });
    resolved.onDidDispose(() => {
      listening.dispose();
      if (view === resolved) view = undefined;
    });
    writePage(webview, extensionUri, { script: 'chat', language: env.language, title: l10n.t('Chat') });
  }

  const registered = window.registerWebviewViewProvider(View.chat, { resolveWebviewView });
  return {
    get isReady() {
      return ready;
    },
    post,
    async focus() {
      focusWhenReady = true;
      await commands.executeCommand(`${View.chat}.focus`);
      if (ready) focusIfWanted();
    },
    reveal: () => view?.show(true),
    dispose: () => registered.dispose(),
  };
}
