import type { ToChatPanel } from '../shared/protocol/protocol.ts';
import { createPanel, type Panel, type SavedState } from './panel.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
const root = document.getElementById('root');
let panel: Panel | undefined;

window.addEventListener('message', (event: MessageEvent<ToChatPanel>) => {
  const message = event.data;
  if (root !== null && message.type === 'show') {
    panel ??= createPanel(root, message.strings, vscode.getState() as SavedState | undefined, {
      post: (reply) => vscode.postMessage(reply),
      save: (state) => vscode.setState(state),
    });
  }
  panel?.receive(message);
});
vscode.postMessage({ type: 'ready' });
