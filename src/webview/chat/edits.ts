import type { EditedView } from '../shared/protocol/editedProtocol.ts';
import type { ChipView } from '../shared/protocol/messageProtocol.ts';
import type { ToChatPanel } from '../shared/protocol/protocol.ts';

export type CompletionsMessage = Extract<ToChatPanel, { readonly type: 'completions' }>;

/** The questions that are being edited, and what is written of each: it outlives the page, and a look at another version. */
export interface Edits {
  get(question: string): string | undefined;
  /** @param text undefined when the edit is closed */
  set(question: string, text: string | undefined): void;
  /** All of them, to be kept. */
  readonly all: Readonly<Record<string, string>>;
  /** What will go along with it, as the host has it; undefined as long as it has not said. */
  chipsOf(question: string): readonly ChipView[] | undefined;
  /** What the host has of all of them. */
  show(views: readonly EditedView[]): void;
  /** Runs whenever the host has said what it has, until the signal. */
  onShow(run: () => void, signal: AbortSignal): void;
  /** What takes the choices for the boxes that are open. */
  readonly completions: Set<(message: CompletionsMessage) => void>;
}

/** The most edits that are kept: those that were written in last. */
const mostEdits = 20;

export function createEdits(saved: Readonly<Record<string, string>> = {}, onChange: () => void): Edits {
  const open = new Map(Object.entries(saved));
  let chips: ReadonlyMap<string, readonly ChipView[]> = new Map();
  let drawn = '';
  const shown = new EventTarget();
  return {
    get: (question) => open.get(question),
    set(question, text) {
      open.delete(question);
      if (text !== undefined) open.set(question, text);
      for (const oldest of [...open.keys()].slice(0, -mostEdits)) open.delete(oldest);
      onChange();
    },
    get all() {
      return Object.fromEntries(open);
    },
    chipsOf: (question) => chips.get(question),
    show(views) {
      const next = JSON.stringify(views);
      if (next === drawn) return;
      drawn = next;
      chips = new Map(views.map((view) => [view.message, view.chips]));
      shown.dispatchEvent(new Event('show'));
    },
    onShow: (run, signal) => shown.addEventListener('show', run, { signal }),
    completions: new Set(),
  };
}
