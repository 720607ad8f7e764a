import type { ToChatPanel } from '../../../../webview/shared/protocol/protocol.ts';
import type { PanelView } from './panelPage.ts';

/** Messages to the page that must not be lost while it is hidden. */
export interface KeptMessages {
  /** Sends a message now, or once there is a page. */
  tell(message: ToChatPanel): void;
  /** Sends what was kept to a page that shows all. */
  sendKept(): void;
}

export function createKeptMessages(view: PanelView): KeptMessages {
  let waiting: ToChatPanel[] = [];

  return {
    tell(message) {
      if (view.isReady) view.post(message);
      else waiting.push(message);
    },
    sendKept() {
      if (!view.isReady) return;
      for (const message of waiting) view.post(message);
      waiting = [];
    },
  };
}
