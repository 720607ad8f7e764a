import { type Disposable, env, l10n, type Webview } from 'vscode';
import type { Services } from '../../../../editor/services.ts';
import { listen, resourceRoots, writePage } from '../../../../editor/webviewHost.ts';
import type { FromChatPanel, ToChatPanel } from '../../../../webview/shared/protocol/protocol.ts';
import { parseFromPanel } from '../panelMessages.ts';

/** A webview that shows the chat's page, wherever it stands: in a view, or in a tab. */
export interface PanelView extends Disposable {
  /** Whether there is a page that takes messages. */
  readonly isReady: boolean;
  /** Sends a message to the page. It is lost where there is no page: a new one asks for all. */
  post(message: ToChatPanel): void;
  /** Shows the panel and gives it the focus, the caret in the message box. */
  focus(): Promise<void>;
  /** Shows the panel and gives it the focus, wherever in it that was. */
  show(): Promise<void>;
  /** Shows the panel, if it was open before, and leaves the focus where it is. */
  reveal(): void;
  /** Whether it is in sight. */
  readonly isVisible: boolean;
}

/** Takes each message of the page; its errors are shown to the user. */
export type Handle = (message: FromChatPanel) => Promise<void>;

/** The page in a webview. It is thrown away whenever the webview is hidden, and written anew when it is shown. */
export interface PanelPage extends Disposable {
  readonly isReady: boolean;
  post(message: ToChatPanel): void;
  /**
   * Puts the caret into the message box: now, or as soon as there is a page. VS Code gives a page that is still being
   * loaded no focus, so that it is shown with `show` once more then.
   */
  focusBox(show: () => Thenable<unknown>): void;
  /** A hidden page is gone; the next one says that it is ready. */
  hide(): void;
}

export function createPanelPage({ context, notices, log }: Services, webview: Webview, handle: Handle): PanelPage {
  const { extensionUri } = context;
  let isReady = false;
  let wanted: (() => Thenable<unknown>) | undefined;

  const post = (message: ToChatPanel): void => {
    if (isReady) void webview.postMessage(message);
  };

  async function focusIfWanted(): Promise<void> {
    const show = wanted;
    wanted = undefined;
    if (!show) return;
    await show();
    post({ type: 'focus' });
  }

  async function receive(message: FromChatPanel): Promise<void> {
    if (message.type === 'ready') isReady = true;
    await handle(message);
    if (message.type === 'ready') await focusIfWanted();
  }

  webview.options = { enableScripts: true, localResourceRoots: resourceRoots(extensionUri) };
  const listening = listen(
    webview,
    parseFromPanel,
    (message) => receive(message).catch((error: unknown) => notices.error(error)),
    () => log.warn('The chat panel sent a message that is not in the protocol.'),
  );
  writePage(webview, extensionUri, { script: 'chat', language: env.language, title: l10n.t('Chat') });

  return {
    get isReady() {
      return isReady;
    },
    post,
    focusBox(show) {
      if (isReady) post({ type: 'focus' });
      else wanted = show;
    },
    hide() {
      isReady = false;
      wanted = undefined;
    },
    dispose() {
      isReady = false;
      listening.dispose();
    },
  };
}
