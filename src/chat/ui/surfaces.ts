import type { Disposable } from 'vscode';
import { setContext } from '../../editor/contextKeys.ts';
import { Disposables } from '../../editor/disposables.ts';
import { streamingAnswer } from '../conversation.ts';
import type { Chats } from './currentChat.ts';
import { createPanelView } from './panel/panelView.ts';
import { createSurface, type Shared, type Surface } from './surface.ts';

/** The places that show conversations. */
export interface Surfaces extends Disposable {
  /** The one that commands are for: the one that had the focus last, as long as it is in sight; else the view. */
  readonly active: Surface;
}

const currentKey = 'chat.current';

export function createSurfaces(shared: Shared): Surfaces {
  const { services } = shared;
  const { workspaceState } = services.context;
  const owned = new Disposables();
  const showKeys = createContextKeys();
  let focused: Surface | undefined;

  const view = owned.add(
    createSurface(shared, {
      memory: {
        read: () => workspaceState.get<string>(currentKey),
        write: (id) => workspaceState.update(currentKey, id),
      },
      makeView: (handle) => createPanelView(services, handle),
      onFocus: () => {
        focused = view;
        update();
      },
      onChange: update,
    }),
  );

  function active(): Surface {
    return focused?.panel.isVisible === true ? focused : view;
  }

  function update(): void {
    showKeys(active().chats);
  }

  return {
    get active() {
      return active();
    },
    dispose: () => owned.dispose(),
  };
}

/** Sets the context keys of the chat that have changed. */
function createContextKeys(): (chats: Pick<Chats, 'conversation'>) => void {
  let shown = { busy: false, hasMessages: false };
  return ({ conversation }) => {
    const busy = streamingAnswer(conversation) !== undefined;
    const next = { busy, hasMessages: conversation.messages.length > 0 };
    if (next.busy !== shown.busy) void setContext('parley.chat.busy', next.busy);
    if (next.hasMessages !== shown.hasMessages) void setContext('parley.chat.hasMessages', next.hasMessages);
    shown = next;
  };
}
