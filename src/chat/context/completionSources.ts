import type { CompletionTrigger, CompletionView } from '../../webview/shared/protocol/completionProtocol.ts';

/** A choice at the message box, after `@` or `/`. */
export interface CompletionItem extends Omit<CompletionView, 'id' | 'kind' | 'detail'> {
  readonly detail?: string | undefined;
  /**
   * Does what was chosen, such as to attach a file. Absent for a step, whose label is typed after the trigger, and leads on, and
   * where the item has what to `insert`.
   */
  readonly choose?: () => void | Promise<void>;
}

/** Where choices come from. `registerChat` has the list of them. */
export interface CompletionSource {
  readonly trigger: CompletionTrigger;
  /** The choices that fit what was typed after the trigger, the best first. Stops when the signal says so: more was typed. */
  find(text: string, signal: AbortSignal): Promise<readonly CompletionItem[]>;
}

/** All choices of all sources. */
export interface CompletionSources {
  /** The choices that fit, as the page shows them; undefined when more was typed meanwhile. */
  find(trigger: CompletionTrigger, text: string): Promise<readonly CompletionView[] | undefined>;
  /** Does what was chosen; nothing for an id that was not offered. */
  choose(id: string): Promise<void>;
}

/** The most choices that are shown at once. */
const mostShown = 50;
/** Choices that can still be chosen: those of the last lists, one of which the page shows. */
const mostOffered = 8 * mostShown;

/** @param onFault told why a source gave nothing; the others are shown */
export function createCompletionSources(
  sources: readonly CompletionSource[],
  onFault: (error: unknown) => void,
): CompletionSources {
  /** What was shown, by the ids that the page has: it can choose nothing else. */
  const offered = new Map<string, CompletionItem>();
  let lastId = 0;
  let finding: AbortController | undefined;

  function offer(item: CompletionItem): CompletionView {
    const id = String(++lastId);
    offered.set(id, item);
    const { label, detail = '', icon, insert, words } = item;
    if (insert !== undefined) return { id, label, detail, icon, kind: 'item', insert };
    if (item.choose === undefined) return { id, label, detail, icon, kind: 'step' };
    return { id, label, detail, icon, kind: 'item', ...(words && { words }) };
  }

  return {
    async find(trigger, text) {
      finding?.abort();
      const mine = new AbortController();
      finding = mine;
      const lists = await Promise.all(
        sources
          .filter((source) => source.trigger === trigger)
          .map((source) =>
            source.find(text, mine.signal).catch((error: unknown) => {
              if (!mine.signal.aborted) onFault(error);
              return [];
            }),
          ),
      );
      if (mine.signal.aborted) return undefined;
      const views = lists.flat().slice(0, mostShown).map(offer);
      for (const id of [...offered.keys()].slice(0, -mostOffered)) offered.delete(id);
      return views;
    },
    async choose(id) {
      await offered.get(id)?.choose?.();
    },
  };
}
