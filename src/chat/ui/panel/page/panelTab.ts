import { Uri } from 'vscode';
import type { Services } from '../../../../editor/services.ts';
import type { PlainWebviewPanel } from '../../../../editor/text/window.ts';
import { createPanelPage, type Handle, type PanelView } from './panelPage.ts';

/** The chat in an editor tab, which VS Code may show in a window of its own. */
export function createPanelTab(services: Services, tab: PlainWebviewPanel, handle: Handle): PanelView {
  const { extensionUri } = services.context;
  const icon = (theme: string): Uri => Uri.joinPath(extensionUri, 'media', `parley-${theme}.svg`);
  tab.iconPath = { light: icon('light'), dark: icon('dark') };
  const page = createPanelPage(services, tab.webview, handle);
  let isClosed = false;
  tab.onDidDispose(() => {
    isClosed = true;
  });
  tab.onDidChangeViewState(() => {
    if (!tab.visible) page.hide();
  });
  return {
    get isReady() {
      return page.isReady;
    },
    post: page.post,
    async focus() {
      tab.reveal();
      page.focusBox(async () => {
        // Whoever went on to another editor while it was loaded stays there.
        if (tab.active) tab.reveal();
      });
    },
    async show() {
      tab.reveal();
    },
    reveal: () => tab.reveal(undefined, true),
    get isVisible() {
      // A tab that is closed cannot be asked.
      return !isClosed && tab.visible;
    },
    dispose: () => page.dispose(),
  };
}
