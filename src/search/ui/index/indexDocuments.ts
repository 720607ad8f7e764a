import { type Disposable, EventEmitter, Uri, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { showRendered } from '../../../editor/text/textTabs.ts';
import { window } from '../../../editor/text/window.ts';

const scheme = 'parley-index';

/** A document about the index, rebuilt each time it is shown or read. */
export interface IndexDocument {
  /** Title of the tab, with its extension. A `.md` document is shown rendered. */
  readonly name: string;
  text(): Promise<string>;
}

/** Documents about the index, which cannot be edited. */
export interface IndexDocuments extends Disposable {
  show(which: 'contents' | 'report'): Promise<void>;
}

/**
 * The documents have no file, so a tab that VS Code restores after a reload asks for the text again: the activation
 * event `onFileSystem:parley-index` has Parley activated in time.
 */
export function createIndexDocuments(documents: Record<'contents' | 'report', IndexDocument>): IndexDocuments {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<Uri>());
  const byPath = new Map(Object.values(documents).map((document) => [`/${document.name}`, document]));
  owned.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => byPath.get(uri.path)?.text() ?? '',
    }),
  );

  return {
    async show(which) {
      const { name } = documents[which];
      const uri = Uri.from({ scheme, path: `/${name}` });
      // A document that is open already is read again.
      changed.fire(uri);
      if (name.endsWith('.md')) await showRendered(uri);
      else await window.showTextDocument(uri, { preview: true });
    },
    dispose: () => owned.dispose(),
  };
}
