import { element } from '../../parts/dom.ts';
import type { CompletionView } from '../../shared/protocol/completionProtocol.ts';
import type { OfQuestion } from '../../shared/protocol/editedProtocol.ts';
import type { FromChatPanel } from '../../shared/protocol/protocol.ts';
import type { CompletionsMessage } from '../edits.ts';
import type { Page } from '../page.ts';
import { createCompletionList } from './completionList.ts';
import { type CompletionToken, completionToken } from './completionToken.ts';

/** What can be chosen while `@…` or `/…` is typed into the message box: a list above it. */
export interface Completions {
  readonly element: HTMLElement;
  show(message: CompletionsMessage): void;
}

/** Where choices are offered. */
export interface CompletionPlace extends OfQuestion {
  /** The list's place in the page, for `aria-controls`. */
  readonly id: string;
  /** Ends it, with the box that it is for. */
  readonly signal?: AbortSignal;
}

/** @param box the box that keeps the focus: the list is moved through by its keys */
export function createCompletions(page: Page, box: HTMLTextAreaElement, place: CompletionPlace): Completions {
  const { strings } = page;
  const { id, of, signal } = place;
  const post = (message: Choosing): void => page.post(of === undefined ? message : { ...message, of });
  const list = createCompletionList(id, strings['completions'] ?? '', choose);
  const root = element('div', { class: 'completions' }, list.element);
  /** The word that the list is for, and the one for which the user closed it. */
  let token: CompletionToken | undefined;
  let closedAt: CompletionToken | undefined;
  /** Whether the list shown is for an earlier text, and whether its first choice is wanted once it is not. */
  let [isStale, isWanted] = [false, false];

  for (const [name, value] of boxAttributes(id)) box.setAttribute(name, value);
  render();

  function render(): void {
    root.hidden = token === undefined || list.count === 0;
    if (root.hidden) box.removeAttribute('aria-activedescendant');
    else box.setAttribute('aria-activedescendant', list.activeId);
  }

  function close(): void {
    token = undefined;
    isWanted = false;
    list.set([]);
    render();
  }

  /** Follows the caret: another word is looked for, or none. */
  function follow(): void {
    const at = box.selectionStart === box.selectionEnd ? completionToken(box.value, box.selectionEnd) : undefined;
    const isOther = at?.start !== token?.start || at?.trigger !== token?.trigger;
    if (at === undefined || (at.start === closedAt?.start && at.trigger === closedAt.trigger)) {
      if (at === undefined) closedAt = undefined;
      if (token !== undefined) close();
      return;
    }
    if (!isOther && at.text === token?.text && at.end === token.end) return;
    if (isOther) list.set([]);
    token = at;
    isStale = true;
    isWanted = false;
    render();
    post({ type: 'complete', trigger: at.trigger, text: at.text });
  }

  function choose(index: number): void {
    const item = list.at(index);
    if (item === undefined || token === undefined) return;
    const { trigger, start, end, text } = token;
    close();
    replaceText(box, start, end, item.kind === 'step' ? trigger + item.label : writtenFor(item, box.value.charAt(end)));
    if (item.kind === 'step') return;
    if (item.insert === undefined) post({ type: 'chooseCompletion', trigger, id: item.id, text });
    page.announce((strings['chosen'] ?? '').replace('{0}', () => item.label));
  }

  function onKey(event: KeyboardEvent): void {
    const isEnd = event.key === 'Enter' || event.key === 'Tab';
    if (root.hidden || event.isComposing || event.keyCode === 229 || event.shiftKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') list.move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Escape') {
      closedAt = token;
      close();
    } else if (!isEnd) return;
    else if (isStale) isWanted = true;
    else if (!event.repeat) choose(list.active);
    render();
    event.preventDefault();
    // Enter would send, Escape would stop the answer.
    event.stopImmediatePropagation();
  }

  const isUsed = (): boolean => token !== undefined && document.activeElement === box;
  listen(box, { onKey, follow, close, isUsed }, signal);

  return {
    element: root,
    show({ trigger, text, items }) {
      if (trigger !== token?.trigger || text !== token.text) return;
      const isBegun = list.count === 0 && items.length > 0;
      isStale = false;
      list.set(items);
      render();
      if (isBegun) page.announce((strings['completionCount'] ?? '').replace('{0}', String(items.length)));
      if (isWanted) choose(0);
      isWanted = false;
    },
  };
}

interface Listeners {
  onKey(event: KeyboardEvent): void;
  follow(): void;
  close(): void;
  readonly isUsed: () => boolean;
}

function listen(box: HTMLTextAreaElement, listeners: Listeners, signal: AbortSignal | undefined): void {
  const { onKey, follow, close, isUsed } = listeners;
  box.addEventListener('keydown', onKey, { capture: true });
  box.addEventListener('input', (event) => !(event instanceof InputEvent && event.isComposing) && follow());
  box.addEventListener('compositionend', follow);
  document.addEventListener('selectionchange', () => isUsed() && follow(), signal && { signal });
  box.addEventListener('blur', close);
}

type Choosing = Extract<FromChatPanel, { readonly type: 'complete' | 'chooseCompletion' }>;

const boxAttributes = (list: string) =>
  [
    ['aria-autocomplete', 'list'],
    ['aria-haspopup', 'listbox'],
    ['aria-controls', list],
  ] as const;

/** What is written for a choice. A name at the end of the text has a space behind it, so that the sentence goes on at once. */
function writtenFor({ insert, words = '' }: CompletionView, next: string): string {
  return insert ?? (words !== '' && next === '' ? `${words} ` : words);
}

/** Replaces a part of the text, as typing does: undo takes it back, and the panel hears of it. */
function replaceText(box: HTMLTextAreaElement, start: number, end: number, text: string): void {
  box.focus();
  box.setSelectionRange(start, end);
  // Nothing else changes a text box so that its undo goes on to work.
  if (text !== '') document.execCommand('insertText', false, text);
  else if (end > start) document.execCommand('delete');
}
