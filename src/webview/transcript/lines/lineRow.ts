import { element, iconButton, labelButton } from '../../parts/dom.ts';
import { showUnseen } from '../../parts/unseen.ts';
import type { PageContext } from '../pageContext.ts';
import type { Line } from './line.ts';

/** What the page knows of a line besides its text. */
export interface LineState {
  /** The line's number, from 0, of how many. */
  readonly number: number;
  readonly of: number;
  /** Who speaks in the line before. */
  readonly speakerBefore?: string | undefined;
  /** Whether it is heard now. */
  readonly isCurrent: boolean;
  /** Whether the keyboard is at it. */
  readonly isActive: boolean;
}

export interface LineActions {
  /** Plays from the line on; absent where nothing can be played. */
  readonly seek?: ((line: number) => void) | undefined;
  edit(line: number): void;
  /** Ticks a line off that is to be checked, or on again. */
  tick(line: number): void;
  restore(line: number): void;
  /** Asks for the name of who speaks. */
  name(line: number): void;
}

/** Draws a line: its sign, its time, its text, and what can be done with it. A paragraph is only text. */
export function drawLine(page: PageContext, line: Line, state: LineState, actions: LineActions): HTMLElement {
  const { text, original, heard, reason, isBlock } = line;
  const words = element('p', { class: 'words', title: reason, lang: page.languages?.own, text });
  if (heard === undefined) {
    showUnseen(words);
    return element('div', { class: 'paragraph' }, words);
  }
  const isEdited = text !== original;
  const time = timeOf(page, heard.time, state.number, actions);
  const row = element(
    'li',
    {
      class: 'segment',
      'aria-setsize': String(state.of),
      'aria-posinset': String(state.number + 1),
      'aria-current': state.isCurrent && 'true',
    },
    ...speakerOf(page, line, state, actions),
    sign(page, line, state.number, actions),
    time,
    words,
    ...besideOf(page, line),
    tail(page, state.number, isEdited, actions),
  );
  if (text === '') words.after(element('span', { class: 'emptied', text: page.strings['emptied'] }));
  row.classList.toggle('block', isBlock === true);
  row.classList.toggle('edited', isEdited);
  row.classList.toggle('to-check', reason !== undefined && !line.isSettled);
  setActive(row, state.isActive);
  showUnseen(row);
  // After a click the space bar pauses: on the button it would play from there again.
  time.addEventListener('click', ({ detail }) => detail > 0 && row.focus({ preventScroll: true }));
  return row;
}

/** Makes a row, with its buttons, a stop of the Tab key, or none: the list has one such row, and the arrows go on from it. */
export function setActive(row: HTMLElement, isActive: boolean): void {
  for (const each of [row, ...row.querySelectorAll('button')]) each.tabIndex = isActive ? 0 : -1;
}

/** What the other text says; on a page that has none of it, nothing. */
function besideOf({ languages }: PageContext, { beside }: Line): HTMLElement[] {
  if (languages?.beside === undefined && beside === undefined) return [];
  return [element('p', { class: 'beside', lang: languages?.beside, text: beside ?? '' })];
}

/** The name of who speaks, where it is another one than in the line before. */
function speakerOf({ phrase }: PageContext, { speaker }: Line, state: LineState, { name }: LineActions): HTMLElement[] {
  if (speaker === undefined || speaker === state.speakerBefore) return [];
  const button = labelButton(speaker, undefined, () => name(state.number), phrase('speaker', speaker));
  button.className = 'speaker';
  return [button];
}

/** The sign in the margin of a line to check. */
function sign({ strings }: PageContext, { reason, isSettled }: Line, line: number, { tick }: LineActions): HTMLElement {
  const place = element('span', { class: 'sign' });
  if (reason === undefined) return place;
  const does = (isSettled ? strings['checkAgain'] : strings['markChecked']) ?? '';
  const button = iconButton(isSettled ? 'check' : 'warning', `${reason} · ${does}`, () => tick(line));
  place.classList.toggle('settled', isSettled === true);
  place.append(button);
  return place;
}

function timeOf({ phrase }: PageContext, time: string, line: number, { seek }: LineActions): HTMLElement {
  if (seek === undefined) return element('span', { class: 'time', text: time });
  const button = labelButton(time, undefined, () => seek(line), phrase('playFrom', time));
  button.className = 'time';
  return button;
}

function tail({ strings }: PageContext, line: number, isEdited: boolean, actions: LineActions): HTMLElement {
  const edit = iconButton('edit', strings['editLine'] ?? '', () => actions.edit(line));
  const name = iconButton('account', strings['nameSpeaker'] ?? '', () => actions.name(line));
  const restore = iconButton('discard', strings['restore'] ?? '', () => actions.restore(line));
  return isEdited
    ? element(
        'span',
        { class: 'tail' },
        restore,
        name,
        edit,
        element('span', { class: 'mark', text: strings['edited'] }),
      )
    : element('span', { class: 'tail' }, name, edit);
}
