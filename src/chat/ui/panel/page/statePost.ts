import type { PanelState } from '../../../../webview/shared/protocol/protocol.ts';
import type { PanelView } from './panelPage.ts';

/** Sends the page the state beside the messages, whenever it is another one. */
export interface StatePost {
  /** Sends the state, if the page has another one. */
  update(): Promise<void>;
  /** Gives the state for a page that is shown all: what is sent next is compared with it. */
  read(): Promise<PanelState>;
}

export function createStatePost(view: PanelView, readState: () => Promise<PanelState>): StatePost {
  /** The state that the page was told last, as JSON. */
  let told = '';
  /** How many updates were begun. A reading that was overtaken by another update is out of date. */
  let begun = 0;

  return {
    async update() {
      if (!view.isReady) return;
      begun++;
      const mine = begun;
      const state = await readState();
      if (mine !== begun) return;
      const json = JSON.stringify(state);
      // Most patches of an answer leave the state as it was.
      if (json === told) return;
      told = json;
      view.post({ type: 'state', state });
    },
    async read() {
      for (;;) {
        const before = begun;
        const state = await readState();
        // Another page that reads at the same time changes nothing: each would have the other begin anew.
        if (before !== begun) continue;
        told = JSON.stringify(state);
        return state;
      }
    },
  };
}
