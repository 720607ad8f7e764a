import { dressCodeBlocks } from '../../markdown/code/codeBlock.ts';
import type { CodeActions, CodePage } from '../../markdown/code/codePage.ts';
import { createDrawBlocks, type Dress } from '../../markdown/drawBlocks.ts';
import { createFootnotes } from '../../markdown/footnotes.ts';
import { growText } from '../../markdown/growText.ts';
import { dressTasks } from '../../markdown/rules/taskLists.ts';
import { createMarkdownStream } from '../../markdown/stream.ts';
import { element, icon, iconButton } from '../../parts/dom.ts';
import { versionStepper } from '../../parts/versionStepper.ts';

import type { AnswerView } from '../../shared/protocol/messageProtocol.ts';
import type { Page } from '../page.ts';
import { createConfidence } from './confidence.ts';
import { createAnswerData } from './data/answerData.ts';
import { summaryParts } from './summaryParts.ts';

/** An answer on the page. */
export interface AnswerElement {
  readonly element: HTMLElement;
  /**
   * @param last whether it is the last message, which can be retried
   * @returns false when there was more than can be drawn in one go: the rest comes with the next update
   */
  update(view: AnswerView, last: boolean): boolean;
}

/** @param isColumn whether it stands beside others, where what is done with a version is above it */
export function createAnswer(page: Page, isColumn = false): AnswerElement {
  const { strings, markdown } = page;
  /** The answer that is shown, which its code belongs to. */
  let id = '';
  const code: CodePage = { ...page.code, actions: actionsOf(page.code.actions, () => id) };
  /** Whether the answer is, or was, written while somebody looks: long code does not fold under whoever reads it. */
  let isLive = false;
  const folds = (): boolean => !isLive || page.isFollowing();
  const stream = createMarkdownStream(markdown, (definitions) => {
    const footnotes = createFootnotes(strings);
    const dress: Dress[] = [
      (nodes, closed) => dressCodeBlocks(nodes, code, closed, folds),
      (nodes) => dressTasks(nodes, strings),
      footnotes.dress,
      page.formulas.dress,
      (nodes, closed) => closed && page.files.mark(nodes),
    ];
    return createDrawBlocks(markdown, dress, definitions);
  });
  const thoughts = element('div', { class: 'thoughts' });
  const reasoning = element(
    'details',
    { class: 'reasoning' },
    element('summary', {}, strings['reasoning'] ?? '', icon('chevron-right')),
    thoughts,
  );
  const caret = element(
    'p',
    { class: 'waiting' },
    element('span', { class: 'caret', role: 'img', 'aria-label': strings['waiting'] }),
  );
  const rest = element('div', { class: 'rest' });
  const confidence = element('div', { hidden: true });
  const data = createAnswerData(page, (isShown) => root.classList.toggle('has-data', isShown));
  const root = element(
    'article',
    { class: 'answer', 'aria-label': strings['answer'] },
    reasoning,
    stream.element,
    data.element,
    confidence,
    caret,
    rest,
  );
  let drawn: string | undefined;

  return {
    element: root,
    update(view, last) {
      id = view.id;
      const streaming = view.state === 'streaming';
      isLive ||= streaming;
      root.classList.toggle('streaming', streaming);
      root.setAttribute('aria-busy', String(streaming));
      reasoning.hidden = view.reasoning === '';
      if (!view.reasoning.startsWith(thoughts.textContent ?? '')) thoughts.replaceChildren();
      const isThought = growText(thoughts, view.reasoning) === 'all';
      const isAll = stream.update(view.text, !streaming) && isThought;
      data.update(view, last);
      caret.hidden = !streaming || view.text !== '';
      // The end of an answer is drawn when it ends, and again only when it is no longer the last one. While it streams
      // there may be a note that it has to wait.
      const { text: _text, reasoning: _reasoning, ...facts } = view;
      const state = JSON.stringify([facts, last]);
      if (state === drawn) return isAll;
      drawn = state;
      rest.replaceChildren(
        ...(streaming ? noteOf(view) : endOf(page, view, last, { text: stream.element, box: confidence, isColumn })),
      );
      return isAll;
    },
  };
}

/** The actions of code, each of which says whose it is. */
function actionsOf(actions: CodeActions, id: () => string): CodeActions {
  return {
    ...actions,
    insert: (text) => actions.insert(text, id()),
    apply: (text, path) => actions.apply(text, path, id()),
    newFile: (text, language) => actions.newFile(text, language, id()),
  };
}

function noteOf({ note }: AnswerView): HTMLElement[] {
  return note === undefined ? [] : [element('p', { class: 'note', text: note })];
}

function endOf(page: Page, view: AnswerView, last: boolean, shown: Shown): HTMLElement[] {
  const { strings, post, announce } = page;
  const retry = (): void => post(last ? { type: 'retry' } : { type: 'regenerate', message: view.id });
  const copyAll = (): void => {
    post({ type: 'copyMessage', message: view.id });
    announce(strings['copied'] ?? '');
  };
  const buttons = buttonsOf(page, view, last, retry);
  const actions = element('div', { class: 'actions' });
  if (view.text !== '') actions.append(iconButton('copy', strings['copyAnswer'] ?? '', copyAll));
  const hasRetry = buttons.some(({ textContent }) => textContent === strings['retry']);
  if (!shown.isColumn) actions.append(...ofVersion(page, view, hasRetry, retry, shown));
  // A line for the actions alone would be empty until they are hovered.
  const isAlone = view.summary === undefined && view.versions === undefined && buttons.length > 0;
  const row = element('div', { class: 'buttons', ...(buttons.length === 0 && { hidden: true }) }, ...buttons);
  if (isAlone) row.append(actions);
  return [
    ...callsOf(page, view),
    ...noteOf(view),
    ...(view.error === undefined ? [row] : [errorBlock(view.error.sentence, row)]),
    ...(isAlone ? [] : [element('div', { class: 'footer' }, about(page, view), actions)]),
  ];
}

/** What is done with an answer as one of several versions, and with the conversation up to it. */
function ofVersion(page: Page, view: AnswerView, hasRetry: boolean, retry: () => void, shown: Shown): HTMLElement[] {
  const { strings, post } = page;
  const { id: message, text, versions } = view;
  const button = (name: string, label: string, onclick: () => void): HTMLElement =>
    iconButton(name, strings[label] ?? '', onclick);
  return [
    ...(hasRetry ? [] : [button('refresh', 'retry', retry)]),
    ...(hasChanges(text)
      ? [button('diff-multiple', 'reviewAnswer', () => post({ type: 'applyAnswer', message }))]
      : []),
    ...(view.hasConfidence ? [confidenceButton(page, message, shown)] : []),
    ...(versions === undefined
      ? []
      : [
          button('split-horizontal', 'showSideBySide', () => post({ type: 'openComparison', message })),
          button('diff', 'compareVersions', () => post({ type: 'compareVersions', message })),
        ]),
    ...(text === '' ? [] : [button('repo-forked', 'forkAnswer', () => post({ type: 'fork', message }))]),
    button('trash', 'deleteAnswer', () => post({ type: 'delete', message })),
  ];
}

/** The text of an answer, and the box in whose place it is shown how sure the model was. */
interface Shown {
  readonly text: HTMLElement;
  readonly box: HTMLElement;
  readonly isColumn: boolean;
}

/** Shows in the place of the text how sure the model was of each word, and the text again. */
function confidenceButton(page: Page, message: string, { text, box }: Shown): HTMLElement {
  const { strings, post, confidences, announce } = page;
  const show = (isOpen: boolean): void => {
    box.hidden = !isOpen;
    text.hidden = isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) box.replaceChildren();
  };
  const button = iconButton('pulse', strings['confidence'] ?? '', () => {
    if (!box.hidden) return show(false);
    confidences.set(message, (view) => {
      confidences.delete(message);
      if (typeof view === 'string') {
        box.replaceChildren(element('p', { class: 'note', text: view }));
        box.hidden = false;
        return announce(view);
      }
      box.replaceChildren(createConfidence(page, message, view));
      show(true);
    });
    post({ type: 'showConfidence', message });
  });
  button.setAttribute('aria-expanded', String(!box.hidden));
  return button;
}

/** What the model asks to be called, each with its arguments. */
function callsOf({ strings }: Page, { calls = [] }: AnswerView): HTMLElement[] {
  return calls.map(({ name, arguments: given }) => {
    const label = (strings['call'] ?? '').replace('{0}', () => name);
    const code = element('pre', { tabindex: '0', 'aria-label': label }, element('code', { text: given }));
    return element('section', { class: 'call' }, element('p', { text: label }), code);
  });
}

/** Whether an answer may change several places: it has more than one block of code, which has a button of its own. */
function hasChanges(text: string): boolean {
  return (text.match(/^[ \t]*(?:`{3}|~{3}|<{5,9} ?SEARCH)/gm)?.length ?? 0) > 2;
}

/** What helps with an answer that was cut, or failed, if it is the last one: two buttons at most. */
function buttonsOf({ strings, post }: Page, view: AnswerView, last: boolean, retry: () => void): HTMLElement[] {
  const wanted: [label: string | undefined, onclick: () => void][] = [];
  const { error } = view;
  if (error?.action !== undefined) wanted.push([error.action, () => post({ type: 'helpWith', message: view.id })]);
  if (view.differsFrom !== undefined) {
    const other = view.differsFrom;
    wanted.push([strings['showDifferences'], () => post({ type: 'compareVersions', message: view.id, other })]);
  }
  if (last && view.canContinue) wanted.push([strings['continue'], () => post({ type: 'continue', message: view.id })]);
  const { missing } = view;
  if (last && missing !== undefined) {
    const label = (strings[missing === 1 ? 'askOnceMore' : 'askMissing'] ?? '').replace('{0}', String(missing));
    wanted.push([label, () => post({ type: 'askMissing', message: view.id })]);
  }
  if (last && error !== undefined) wanted.push([strings['retry'], retry]);
  return wanted.slice(0, 2).map(([text, onclick], index) => {
    const look = index === 0 && error !== undefined ? 'button' : 'button secondary';
    return element('button', { class: look, type: 'button', text, onclick });
  });
}

function errorBlock(sentence: string, buttons: HTMLElement): HTMLElement {
  return element(
    'div',
    { class: 'error' },
    element('p', {}, icon('error'), element('span', { text: sentence })),
    buttons,
  );
}

/** The version, and what is known of the answer. */
function about(page: Page, view: AnswerView): HTMLElement {
  const { strings, post } = page;
  const line = summary(page, view);
  if (view.versions === undefined) return line;
  const stepper = versionStepper(strings, view.versions, (message) => post({ type: 'choose', message }));
  return element('div', { class: 'about' }, stepper, line);
}

function summary({ strings, post }: Page, view: AnswerView): HTMLElement {
  if (view.summary === undefined) return element('span');
  if (view.details.length === 0) return element('span', { class: 'summary' }, ...summaryParts(view.summary));
  const rows = view.details.flatMap(([label, value, seconds]) => [
    element('dt', { text: label, ...(seconds !== undefined && { class: 'part' }) }),
    element('dd', { text: value }),
  ]);
  return element(
    'details',
    { class: 'summary' },
    element(
      'summary',
      { title: strings['details'] },
      element('span', {}, ...summaryParts(view.summary)),
      icon('chevron-right'),
    ),
    ...timeBar(view),
    element('dl', {}, ...rows),
    element(
      'div',
      { class: 'detail-links' },
      link(strings['showExchange'], () => post({ type: 'showExchange', message: view.id })),
      ...(view.canReplay ? [link(strings['replay'], () => post({ type: 'replay', message: view.id }))] : []),
    ),
  );
}

function link(text: string | undefined, onclick: () => void): HTMLElement {
  return element('button', { class: 'link', type: 'button', text, onclick });
}

/** What the service spent its time on, as parts of a line; the list below it has the same in words. */
function timeBar({ details }: AnswerView): HTMLElement[] {
  const parts = details.flatMap(([, , seconds]) => (seconds === undefined ? [] : [seconds]));
  if (parts.length < 2) return [];
  const bar = element('div', { class: 'time-bar', 'aria-hidden': 'true' });
  const total = parts.reduce((sum, seconds) => sum + seconds, 0);
  for (const seconds of parts) {
    const part = element('span');
    // Parts whose numbers come to less than 1 leave the rest of the line empty.
    part.style.flexGrow = String((100 * seconds) / total);
    bar.append(part);
  }
  return [bar];
}
