import { createBox } from '../../parts/box.ts';
import { element } from '../../parts/dom.ts';
import type { FitChoice } from '../../shared/fit.ts';
import type { PanelState, ToChatPanel } from '../../shared/protocol/protocol.ts';
import { longestText } from '../../shared/textLimits.ts';
import type { Page } from '../page.ts';
import { createAttachedChips } from './attachedChips.ts';
import { createCompletions } from './completions.ts';
import { compareButton, createFacts, createSearchButton, createSendButton } from './composerButtons.ts';
import type { Drawer } from './drawer.ts';
import { createFitBlock } from './fitBlock.ts';
import { createGauge } from './gauge.ts';
import { takeFiles } from './incomingFiles.ts';
import { createQueue } from './queue.ts';

/** The message box with its parts: chips above, the model, tokens and Send or Stop below. */
export interface Composer {
  readonly element: HTMLElement;
  /** What is written and not sent: also an edited question that waits for the user's choice. */
  readonly draft: string;
  /** Gives what is written in the box. */
  text(): string;
  /** Takes a text out of the box, if it is what is written there. */
  remove(text: string): void;
  update(state: PanelState, busy: boolean): void;
  /** Puts a question that was not asked yet back into the box, before what is there. */
  takeBack(text: string): void;
  /** Has the user choose what becomes of older turns, where a question that is asked again does not fit. */
  holdBack(held: Extract<ToChatPanel, { readonly type: 'doesNotFit' }>): void;
  /** Another conversation is shown. */
  leave(): void;
  /** What the conversation is asked with. */
  readonly drawer: Drawer;
  /** What the host has for the choices while `@…` or `/…` is typed. */
  complete(message: Extract<ToChatPanel, { readonly type: 'completions' }>): void;
  focus(): void;
}

export function createComposer(page: Page, initialDraft: string, onDraft: () => void): Composer {
  const { strings, post } = page;
  let [busy, shown]: [boolean, PanelState | undefined] = [false, undefined];
  const box = createBox({ label: strings['messageBox'], placeholder: strings['placeholder'] }, initialDraft, send);
  const completions = createCompletions(page, box, { id: 'completions' });
  const attached = createAttachedChips(page, () => box.focus());
  const queue = createQueue(page, () => box.focus());
  const facts = createFacts(page, () => box.value.trim());
  const search = createSearchButton(page, () => {
    post({ type: 'search', text: box.value.trim() });
    // The focus goes to the box, where the chips are looked through and the question is sent, whatever the search finds.
    box.focus();
  });
  const gauge = createGauge(page);
  const fit = createFitBlock(page, { send: postQuestion, onAsked: onDraft, giveBack: (text) => takeBack(text) });
  const compare = compareButton(page, () => box.value.trim());
  const act = createSendButton(page, () => (busy ? post({ type: 'stop' }) : send()));

  function send(): void {
    if (box.value.trim() !== '' && fit.check(shown?.window, box.value)) postQuestion();
  }

  function postQuestion(chosen?: FitChoice): void {
    const text = box.value.trim();
    // What was taken back may make it longer than what is typed can be: nothing is sent then, and nothing is lost.
    if (!isSendable(text)) return;
    post({ type: 'send', text, ...(chosen && { fit: chosen }) });
    fill('');
  }

  function fill(text: string): void {
    box.value = text;
    changed();
    box.focus();
  }

  function showUsable(): void {
    const isReady = isSendable(box.value.trim());
    act.enable(busy || isReady);
    search.enable(!busy && isReady);
  }

  const takeBack = (text: string): void => fill(joined(text, box.value));

  /** The context window, with the words that are in the box. */
  function measure(): void {
    gauge.update(shown?.window, box.value);
    fit.update(shown?.window, box.value);
  }

  function changed(): void {
    showUsable();
    measure();
    onDraft();
  }
  box.addEventListener('input', changed);
  takeFiles(document.body, box, post);

  // What goes along scrolls by itself where there is little room: the box and the row below it stay.
  const extras = element('div', { class: 'extras' }, queue.element, fit.element, attached.element);
  facts.element.append(gauge.element);
  const row = element('div', { class: 'row' }, facts.element, search.element, compare, act.element);
  return {
    element: element('div', { class: 'composer' }, completions.element, facts.drawer.element, extras, box, row),
    get draft() {
      return joined(fit.held, box.value);
    },
    text: () => box.value.trim(),
    remove: (text) => box.value.trim() === text && fill(''),
    update(state, isBusy) {
      busy = isBusy;
      act.update(busy);
      search.update(state);
      showUsable();
      shown = state;
      measure();
      facts.update(state);
      attached.update(state);
      queue.update(state.queue);
    },
    takeBack,
    holdBack({ window, text, again }) {
      fit.check(window, text, again);
      onDraft();
    },
    leave: fit.close,
    drawer: facts.drawer,
    complete(message) {
      completions.show(message);
      for (const show of page.edits.completions) show(message);
    },
    focus: () => box.focus(),
  };
}

const isSendable = (text: string): boolean => text !== '' && text.length <= longestText;

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}
