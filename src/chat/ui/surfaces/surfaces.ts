import { type Disposable, type Event, EventEmitter } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { ContextKeyId } from '../../../ids/ids.ts';
import { streamingAnswers } from '../../conversation/conversation.ts';
import { createPanelView } from '../panel/page/panelView.ts';
import { createSurface, type Shared, type Surface } from './surface.ts';
import { createTabs, type Tabs } from './tabs.ts';

/** The places that show conversations. */
export interface Surfaces extends Disposable {
  /** The one that had the focus last, as long as it is in sight; else the view. */
  readonly active: Surface;
  /** The one that a command is for, by what VS Code has given it: that of the button's place, else the active one. */
  of(args: readonly unknown[]): Surface;
  /** The one in the side bar. */
  readonly view: Surface;
  readonly tabs: Tabs;
  /** Fires when the active one shows another conversation than the one that was shown before. */
  readonly onDidSwitch: Event<void>;
}

const currentKey = 'chat.current';

export function createSurfaces(shared: Shared): Surfaces {
  const { services } = shared;
  const { workspaceState } = services.context;
  const owned = new Disposables();
  const showKeys = createContextKeys();
  const switched = owned.add(new EventEmitter<void>());
  let focused: Surface | undefined;
  let shown: string | undefined;

  function setFocused(surface: Surface): void {
    focused = surface;
    update();
  }

  const view = owned.add(
    createSurface(shared, {
      memory: {
        read: () => workspaceState.get<string>(currentKey),
        write: (id) => workspaceState.update(currentKey, id),
      },
      makeView: (handle) => createPanelView(services, handle),
      onFocus: () => setFocused(view),
      onChange: update,
    }),
  );
  const tabs = owned.add(createTabs(shared, setFocused, update));

  function active(): Surface {
    return focused?.panel.isVisible === true ? focused : view;
  }

  function update(): void {
    const { conversation } = active().shown;
    showKeys({
      'parley.chat.busy': streamingAnswers(conversation).length > 0,
      'parley.chat.hasMessages': conversation.messages.length > 0,
      'parley.chat.viewHasMessages': view.shown.conversation.messages.length > 0,
    });
    if (conversation.id === shown) return;
    shown = conversation.id;
    switched.fire();
  }

  return {
    get active() {
      return active();
    },
    of(args) {
      if (isFromView(args)) return view;
      return (isFromEditor(args) ? tabs.active : undefined) ?? active();
    },
    view,
    tabs,
    onDidSwitch: switched.event,
    dispose: () => owned.dispose(),
  };
}

/** A button over a view gives one argument, which is undefined; the palette and keys give none. */
function isFromView(args: readonly unknown[]): boolean {
  return args.length === 1 && args[0] === undefined;
}

/** A button over an editor says in which group it was pressed. */
function isFromEditor([, place]: readonly unknown[]): boolean {
  return typeof place === 'object' && place !== null && 'groupId' in place;
}

/** Sets the context keys that have changed. */
function createContextKeys(): (keys: Partial<Record<ContextKeyId, boolean>>) => void {
  const shown = new Map<string, boolean>();
  return (keys) => {
    for (const [key, value] of Object.entries(keys)) {
      if (value !== (shown.get(key) ?? false)) void setContext(key as ContextKeyId, value);
      shown.set(key, value);
    }
  };
}
