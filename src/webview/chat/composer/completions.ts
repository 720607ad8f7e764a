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

/** A word whose first choice is wanted as soon as its list is there. What is typed meanwhile is no part of it. */
interface WantedChoice {
  readonly word: CompletionToken;
  /** What stood behind the word. */
  readonly next: string;
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
  /** Whether the list shown is for an earlier text. */
  let isStale = false;
  let wanted: WantedChoice | undefined;

  render();

  function render(): void {
    root.hidden = token === undefined || list.count === 0;
    markActive(box, root.hidden ? undefined : list.activeId);
  }

  function close(): void {
    token = undefined;
    wanted = undefined;
    list.set([]);
    render();
  }

  /** Follows the caret: another word is looked for, or none. */
  function follow(): void {
    if (wanted !== undefined && stands(box, wanted.word)) return;
    wanted = undefined;
    const at = box.selectionStart === box.selectionEnd ? completionToken(box.value, box.selectionEnd) : undefined;
    if (at === undefined) closedAt = undefined;
    if (at === undefined || isSameWord(at, closedAt)) {
      close();
      return;
    }
    const isOther = !isSameWord(at, token);
    if (!isOther && at.text === token?.text && at.end === token.end) return;
    if (isOther) list.set([]);
    token = at;
    isStale = true;
    render();
    post({ type: 'complete', trigger: at.trigger, text: at.text });
  }

  function choose(index: number): void {
    const item = list.at(index);
    if (item === undefined || token === undefined) return;
    const [word, next] = [token, wanted?.next];
    close();
    write(box, word, item, next);
    if (item.kind === 'step') return;
    if (item.insert === undefined) post(choosing(word, item));
    page.announce((strings['chosen'] ?? '').replace('{0}', () => item.label));
  }

  function onKey(event: KeyboardEvent): void {
    const key = root.hidden ? undefined : listKey(event);
    if (key === undefined) return;
    if (typeof key === 'number') list.move(key);
    else if (key === 'close') {
      closedAt = token;
      close();
    } else if (isStale) wanted ??= token && { word: token, next: box.value.charAt(token.end) };
    else if (!event.repeat) choose(list.active);
    render();
    event.preventDefault();
    // Enter would send, Escape would stop the answer.
    event.stopImmediatePropagation();
  }

  for (const [name, value] of boxAttributes(id)) box.setAttribute(name, value);
  listen(box, { onKey, follow, close, isUsed: () => token !== undefined && document.activeElement === box }, signal);

  return {
    element: root,
    show({ trigger, text, items }) {
      if (trigger !== token?.trigger || text !== token.text) return;
      const isBegun = list.count === 0 && items.length > 0;
      isStale = false;
      list.set(items);
      render();
      if (isBegun) page.announce((strings['completionCount'] ?? '').replace('{0}', String(items.length)));
      if (wanted === undefined) return;
      choose(0);
      wanted = undefined;
      follow();
    },
  };
}

/** Tells a screen reader which choice is active, while there is one. */
function markActive(box: HTMLTextAreaElement, id: string | undefined): void {
  if (id === undefined) box.removeAttribute('aria-activedescendant');
  else box.setAttribute('aria-activedescendant', id);
}

/** What a key does to the list: moves it by that, closes it, or takes its choice. */
function listKey({ key, isComposing, keyCode, shiftKey }: KeyboardEvent): 1 | -1 | 'close' | 'choose' | undefined {
  if (isComposing || keyCode === 229 || shiftKey) return undefined;
  if (key === 'ArrowDown') return 1;
  if (key === 'ArrowUp') return -1;
  if (key === 'Escape') return 'close';
  return key === 'Enter' || key === 'Tab' ? 'choose' : undefined;
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

const isSameWord = (one: CompletionToken, other: CompletionToken | undefined): boolean =>
  one.start === other?.start && one.trigger === other.trigger;

/** Whether the word is still where it was typed. */
function stands(box: HTMLTextAreaElement, { trigger, start, end, text }: CompletionToken): boolean {
  return box.selectionEnd >= end && box.value.slice(start, end) === trigger + text;
}

type Choosing = Extract<FromChatPanel, { readonly type: 'complete' | 'chooseCompletion' }>;

const choosing = ({ trigger, text }: CompletionToken, { id }: CompletionView): Choosing => ({
  type: 'chooseCompletion',
  trigger,
  id,
  text,
});

const boxAttributes = (list: string) =>
  [
    ['aria-autocomplete', 'list'],
    ['aria-haspopup', 'listbox'],
    ['aria-controls', list],
  ] as const;

/**
 * Writes a choice in the place of its word. The caret stays behind what was typed since.
 * @param before what stood behind the word when it was chosen, where its list was waited for
 */
function write(
  box: HTMLTextAreaElement,
  word: CompletionToken,
  item: CompletionView,
  before: string | undefined,
): void {
  const { trigger, start, end } = word;
  const now = box.value.charAt(end);
  // A blank that was typed meanwhile is the one behind the name.
  const next = now.trim() === '' ? now : (before ?? now);
  const typed = Math.max(0, box.selectionEnd - end);
  replaceText(box, start, end, item.kind === 'step' ? trigger + item.label : writtenFor(item, next));
  if (typed > 0) box.setSelectionRange(box.selectionEnd + typed, box.selectionEnd + typed);
}

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
