import { commands, type Disposable, l10n, ViewColumn } from 'vscode';
import * as z from 'zod/mini';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { type PlainWebviewPanel, window } from '../../../editor/text/window.ts';
import { conversationPanelType } from '../../../ids/ids.ts';
import { titleOf } from '../../conversation/conversation.ts';
import type { LiveConversation } from '../conversations/liveConversation.ts';
import { createPanelTab } from '../panel/page/panelTab.ts';
import { createSurface, type Shared, type Surface } from './surface.ts';

/** Conversations in editor tabs, each a surface of its own. */
export interface Tabs extends Disposable {
  /** The one that is the active editor. */
  readonly active: Surface | undefined;
  /** Shows a conversation in a tab: in the one that shows it already, or in a new one. */
  open(conversation: LiveConversation): void;
  /** Shows it in a window of its own. */
  openInWindow(conversation: LiveConversation): Promise<void>;
}

interface Tab {
  readonly panel: PlainWebviewPanel;
  readonly surface: Surface;
  /** Resolves when its page is there, and with it the editor. */
  readonly opened: Promise<void>;
}

/** What the page of a tab keeps; here, no more of it is needed than which conversation that was. */
const stateSchema = z.object({ conversation: z.string().check(z.maxLength(64)) });

/**
 * @param onFocus called when a tab has got the focus
 * @param onChange called when a tab, or what is in it, is another than before
 */
export function createTabs(shared: Shared, onFocus: (tab: Surface) => void, onChange: () => void): Tabs {
  const { services, conversations } = shared;
  const owned = new Disposables();
  const tabs = new Set<Tab>();

  /** Fills a panel with a conversation, for as long as it is open. */
  function fill(panel: PlainWebviewPanel, first: LiveConversation): Tab {
    let setOpened = (): void => {};
    const opened = new Promise<void>((resolve) => {
      setOpened = resolve;
    });
    const surface = createSurface(shared, {
      first,
      // The page keeps which conversation it shows.
      memory: { read: () => undefined, write: async () => {} },
      makeView: (handle) =>
        createPanelTab(services, panel, (message) => {
          if (message.type === 'ready') setOpened();
          return handle(message);
        }),
      onFocus: () => onFocus(surface),
      onChange,
      onRemove: () => panel.dispose(),
    });
    const showTitle = (): void => {
      panel.title = plain(titleOf(surface.shown.conversation) || l10n.t('New Conversation'));
    };
    const listening = [
      surface.shown.onDidSwitch(showTitle),
      conversations.onDidChangeList(showTitle),
      panel.onDidChangeViewState(onChange),
    ];
    const tab = { panel, surface, opened };
    tabs.add(tab);
    showTitle();
    panel.onDidDispose(() => {
      tabs.delete(tab);
      for (const each of [...listening, surface]) each.dispose();
      onChange();
    });
    return tab;
  }

  function open(conversation: LiveConversation): Tab {
    const { id } = conversation.session.conversation;
    const before = [...tabs].find(({ surface }) => surface.shown.conversation.id === id);
    before?.panel.reveal();
    return before ?? fill(window.createWebviewPanel(conversationPanelType, plain(''), ViewColumn.Active), conversation);
  }

  owned.add(
    services.give(conversationPanelType, {
      async deserializeWebviewPanel(panel, saved: unknown) {
        const id = stateSchema.safeParse(saved).data?.conversation;
        const kept = id === undefined ? undefined : await conversations.find(id);
        // One that nothing was asked in has no file; what was written into its box comes back with the page.
        fill(panel, kept?.found ?? conversations.begin());
      },
    }),
  );

  return {
    get active() {
      return [...tabs].find(({ panel }) => panel.active)?.surface;
    },
    open: (conversation) => void open(conversation),
    async openInWindow(conversation) {
      const { panel, opened } = open(conversation);
      await opened;
      if (panel.active) await commands.executeCommand('workbench.action.moveEditorToNewWindow');
    },
    dispose() {
      owned.dispose();
      for (const { surface } of tabs) surface.dispose();
    },
  };
}
