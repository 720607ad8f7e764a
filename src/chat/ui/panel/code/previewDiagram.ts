import { commands, type Disposable, Uri, workspace } from 'vscode';
import { fenced } from '../../../../base/codeFence.ts';
import { Disposables } from '../../../../editor/disposables.ts';

/** Shows diagrams in VS Code's Markdown preview. */
export interface DiagramPreview extends Disposable {
  show(code: string): Promise<void>;
}

const scheme = 'parley-diagram';
/** The diagrams that are kept for previews that are open: those that were shown last. */
const mostKept = 20;

/**
 * Mermaid cannot live in the panel: under the policy of its page, a single flowchart has a hundred refused styles and is drawn as
 * black boxes, and its 5 MB would make the extension larger by a half. VS Code draws it in its preview. The document is none that
 * has to be saved.
 */
export function createDiagramPreview(): DiagramPreview {
  const owned = new Disposables();
  const texts = new Map<string, string>();
  let count = 0;
  let isRegistered = false;
  return {
    async show(code) {
      if (!isRegistered) {
        isRegistered = true;
        const provideTextDocumentContent = (uri: Uri): string => texts.get(uri.query) ?? '';
        owned.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }));
      }
      const id = String(++count);
      // Nothing in the code ends the fence, so that all of it is the diagram's.
      texts.set(id, `${fenced(code, 'mermaid')}\n`);
      for (const oldest of [...texts.keys()].slice(0, -mostKept)) texts.delete(oldest);
      await commands.executeCommand('markdown.showPreview', Uri.from({ scheme, path: '/Diagram.md', query: id }));
    },
    dispose: () => owned.dispose(),
  };
}
