import type { Disposable } from 'vscode';
import { fenced } from '../../../../base/codeFence.ts';
import { createTextTabs, showRendered } from '../../../../editor/text/textTabs.ts';

/** Shows diagrams in VS Code's Markdown preview. */
export interface DiagramPreview extends Disposable {
  show(code: string): Promise<void>;
}

/**
 * Mermaid cannot live in the panel: under the policy of its page, a single flowchart has a hundred refused styles and is drawn as
 * black boxes, and its 5 MB would make the extension larger by a half. VS Code draws it in its preview. The document is none that
 * has to be saved.
 */
export function createDiagramPreview(): DiagramPreview {
  const tabs = createTextTabs('parley-diagram');
  let count = 0;
  return {
    // Nothing in the code ends the fence, so that all of it is the diagram's.
    show: (code) => showRendered(tabs.keep('Diagram.md', String(++count), `${fenced(code, 'mermaid')}\n`)),
    dispose: () => tabs.dispose(),
  };
}
