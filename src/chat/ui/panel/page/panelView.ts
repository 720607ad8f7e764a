import { commands, type WebviewView } from 'vscode';
import type { Services } from '../../../../editor/services.ts';
import { View } from '../../../../ids/ids.ts';
import { createPanelPage, type Handle, type PanelPage, type PanelView } from './panelPage.ts';

/** The view of the chat in a side bar. */
export function createPanelView(services: Services, handle: Handle): PanelView {
  let view: WebviewView | undefined;
  let page: PanelPage | undefined;
  let focusWhenThere = false;

  function resolveWebviewView(resolved: WebviewView): void {
    const mine = createPanelPage(services, resolved.webview, handle);
    view = resolved;
    page = mine;
    if (focusWhenThere) mine.focusBox(show);
    focusWhenThere = false;
    resolved.onDidChangeVisibility(() => {
      if (!resolved.visible) mine.hide();
    });
    resolved.onDidDispose(() => {
      mine.dispose();
      if (view === resolved) view = undefined;
      if (page === mine) page = undefined;
    });
  }

  const show = (): Thenable<unknown> => commands.executeCommand(`${View.chat}.focus`);
  const registered = services.give(View.chat, { resolveWebviewView });
  return {
    get isReady() {
      return page?.isReady ?? false;
    },
    post: (message) => page?.post(message),
    async focus() {
      const before = page;
      focusWhenThere = before === undefined;
      await show();
      before?.focusBox(show);
    },
    async show() {
      await show();
    },
    reveal: () => view?.show(true),
    get isVisible() {
      return view?.visible ?? false;
    },
    dispose: () => registered.dispose(),
  };
}
