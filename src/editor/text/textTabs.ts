import { commands, type Disposable, type Tab, TabInputCustom, TabInputText, Uri, workspace } from 'vscode';
import { Disposables } from '../disposables.ts';
import { window } from './window.ts';

/** Texts without a file, which are kept as long as a tab shows them. */
export interface TextTabs extends Disposable {
  /** Keeps a text for a tab that is about to be opened, and gives its address. @param name title of the tab */
  keep(name: string, id: string, text: string): Uri;
}

/**
 * The texts are gone with the window. A tab that VS Code brings back without its text, after a reload or by Reopen Closed Editor,
 * would be empty, or an error: it is closed.
 */
export function createTextTabs(scheme: string): TextTabs {
  const owned = new Disposables();
  const texts = new Map<string, string>();
  const provideTextDocumentContent = (uri: Uri): string => texts.get(uri.toString()) ?? '';
  owned.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }));

  function tabs(): { readonly tab: Tab; readonly address: string }[] {
    return window.tabGroups.all.flatMap((group) =>
      group.tabs.flatMap((tab) => {
        const address = addressOf(tab);
        return address === undefined ? [] : [{ tab, address }];
      }),
    );
  }

  function addressOf({ input }: Tab): string | undefined {
    const hasText = input instanceof TabInputText || input instanceof TabInputCustom;
    return hasText && input.uri.scheme === scheme ? input.uri.toString() : undefined;
  }

  function closeEmpty(): void {
    const empty = tabs().filter(({ address }) => !texts.has(address));
    if (empty.length > 0) void window.tabGroups.close(empty.map(({ tab }) => tab));
  }

  owned.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      const open = new Set(tabs().map(({ address }) => address));
      for (const tab of closed) {
        const address = addressOf(tab);
        if (address !== undefined && !open.has(address)) texts.delete(address);
      }
      closeEmpty();
    }),
  );
  closeEmpty();

  return {
    keep(name, id, text) {
      const uri = Uri.from({ scheme, path: `/${name}`, query: id });
      texts.set(uri.toString(), text);
      return uri;
    },
    dispose: () => owned.dispose(),
  };
}

/** Id of the preview in VS Code's Markdown extension. */
const markdownEditor = 'vscode.markdown.preview.editor';

/**
 * Shows a document of Markdown rendered: as an editor of its document, which VS Code keeps. A preview (`markdown.showPreview`) keeps
 * its document in its page alone, and fails after a reload when that was not yet rendered.
 */
export async function showRendered(uri: Uri): Promise<void> {
  try {
    await commands.executeCommand('vscode.openWith', uri, markdownEditor);
  } catch {
    // VS Code's own extension for Markdown can be disabled.
    await window.showTextDocument(uri, { preview: true });
  }
}
