import { commands, type Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';

const scheme = 'parley-index';

/** Documents about the index, which cannot be edited. */
export interface IndexDocuments extends Disposable {
  /** @param name as it stands on the tab, with its ending */
  showText(name: string, text: string): Promise<void>;
  /** The same, drawn. */
  showMarkdown(name: string, markdown: string): Promise<void>;
}

export function createIndexDocuments(): IndexDocuments {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<Uri>());
  const texts = new Map<string, string>();
  owned.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
    }),
  );

  function write(name: string, text: string): Uri {
    const uri = Uri.from({ scheme, path: `/${name}` });
    texts.set(uri.path, text);
    changed.fire(uri);
    return uri;
  }

  return {
    async showText(name, text) {
      await window.showTextDocument(write(name, text), { preview: true });
    },
    async showMarkdown(name, markdown) {
      const uri = write(name, markdown);
      try {
        await commands.executeCommand('markdown.showPreview', uri);
      } catch {
        // VS Code's own extension for Markdown can be disabled.
        await window.showTextDocument(uri, { preview: true });
      }
    },
    dispose: () => owned.dispose(),
  };
}
