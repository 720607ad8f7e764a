import '../../support/vscodeStub.ts';
import type { Message } from '../../../src/chat/conversation/conversation.ts';
import type { MessageView } from '../../../src/webview/shared/protocol/messageProtocol.ts';
import type { Patch } from '../../../src/webview/shared/protocol/protocol.ts';

// They turn data into words, for which they need no more of VS Code than the stub has; it has to be there before they are loaded.
const { chipView, messageView, patchView } = await import('../../../src/chat/ui/panel/messageView.ts');

export { chipView, messageView };

const longestQuestion = 200;

/** A question that holds the answer the test double is to give: the panel is shown its beginning. */
function shorten(view: MessageView): MessageView {
  const isScript = view.role === 'user' && view.text.startsWith('say: ');
  return isScript ? { ...view, text: view.text.slice(0, longestQuestion) } : view;
}

/** As `patchView`, but for such questions. */
export function shortPatchView(patch: Patch<Message>, messages: readonly Message[]): Patch<MessageView> {
  const view = patchView(patch, messages);
  const { change } = view;
  return change.kind === 'put' ? { ...view, change: { ...change, message: shorten(change.message) } } : view;
}
