import { element, icon } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import type { CheckView } from '../../shared/protocol/transcriptProtocol.ts';
import { type Line, setChecks } from '../lines/line.ts';
import type { LineList } from '../lines/lineList.ts';
import type { PageContext } from '../pageContext.ts';
import { type CheckList, createCheckList, listId } from './checkList.ts';

/** The places worth checking: a button that says how many, a list of them behind it, and keys that go from one to the next. */
export interface Checks {
  /** Hidden where there is no such place. */
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
  /** Goes to the next place that is not checked, from the line at which the keyboard is, and around. Gives false where there is none. */
  step(by: 1 | -1): boolean;
  /** Shows a place as ticked off, or to be checked, and tells the host. */
  tick(line: number, isChecked: boolean): void;
  /** The host says what the places are now. */
  update(checks: readonly CheckView[]): void;
}

export interface CheckActions {
  /** Goes to a line that was chosen. */
  goTo(line: number): void;
  /** Ticks a line off, or on again, so that it can be taken back. */
  tick(line: number): void;
}

export function createChecks(
  page: PageContext,
  lines: readonly Line[],
  list: LineList,
  { goTo, tick }: CheckActions,
): Checks {
  const { strings, phrase } = page;
  let places = placesIn(lines);
  const panel = element('div', { class: 'checks-panel', hidden: true });
  let options = listPlaces(0);
  const countButton = createCountButton(page, () => (panel.hidden ? open() : close()));
  const { button } = countButton;
  const left = (): number[] => places.filter((line) => !lines[line]?.isSettled);
  const showCount = (): void => countButton.show(left().length, places.length);
  showCount();

  function listPlaces(first: number): CheckList {
    const onPlace = (act: (line: number) => void) => (place: number) => act(places[place] ?? 0);
    const made = createCheckList(strings['checksList'], lines, places, first, {
      onSelect: select,
      onChoose(place) {
        select(place);
        onPlace(goTo)(place);
      },
      onTick: onPlace((line) => tick(line)),
      onClose: close,
    });
    panel.replaceChildren(made.element);
    return made;
  }

  function setOpen(isOpen: boolean): void {
    panel.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  }

  function open(): void {
    setOpen(true);
    const next = places.findIndex((line) => line >= list.active);
    select(Math.max(0, next));
    options.focus();
  }

  function close(): void {
    setOpen(false);
    button.focus();
  }

  /** Makes a place the one that is chosen, and shows its line. */
  function select(place: number): void {
    options.select(place);
    const line = places[place];
    if (line !== undefined) list.reveal(line, 'amid');
  }

  /** Shows lines as they are now, and lists the places anew where there are others. */
  function show(changed: readonly number[]): void {
    for (const line of changed) list.redraw(line);
    const now = placesIn(lines);
    if (now.length === places.length && now.every((line, at) => line === places[at])) {
      for (const line of changed) options.redraw(places.indexOf(line));
    } else {
      const hadFocus = panel.contains(document.activeElement);
      places = now;
      options = listPlaces(Math.max(0, Math.min(options.active, places.length - 1)));
      if (places.length === 0) setOpen(false);
      else options.update();
      if (hadFocus && places.length > 0) options.focus();
    }
    showCount();
  }

  return {
    button,
    panel,
    step(by) {
      const next = nextPlace(left(), list.active, by);
      if (next === undefined) return false;
      if (!panel.hidden) select(places.indexOf(next));
      goTo(next);
      page.announce(phrase('checkPlace', places.indexOf(next) + 1, places.length, lines[next]?.reason ?? ''));
      return true;
    },
    tick(number, isChecked) {
      const line = lines[number];
      if (line === undefined) return;
      line.isSettled = isChecked;
      page.post({ type: 'tick', segment: number, start: line.heard?.start ?? 0, before: line.text, isChecked });
      show([number]);
      const count = numberText(left().length);
      page.announce(isChecked ? phrase('checked', count) : phrase('unchecked', count));
    },
    update: (checks) => show(setChecks(lines, checks)),
  };
}

const placesIn = (lines: readonly Line[]): number[] =>
  [...lines.keys()].filter((line) => lines[line]?.reason !== undefined);

/** The button that says how many places are left, and shows them. */
function createCountButton({ strings, phrase }: PageContext, toggle: () => void) {
  const sign = icon('warning');
  const words = element('span');
  const button = element(
    'button',
    {
      class: 'button secondary',
      type: 'button',
      title: strings['checksHint'],
      'aria-expanded': 'false',
      'aria-controls': listId,
      onclick: toggle,
    },
    sign,
    words,
  );
  return {
    button,
    show(left: number, of: number): void {
      button.hidden = of === 0;
      sign.setAttribute('class', `codicon codicon-${left === 0 ? 'check' : 'warning'}`);
      const open = left === 1 ? phrase('checkOne') : phrase('checks', numberText(left));
      words.textContent = left === 0 ? (strings['checksDone'] ?? '') : open;
    },
  };
}

/** The next of the lines from one on, and around at the end. */
function nextPlace(lines: readonly number[], from: number, by: number): number | undefined {
  if (by === 1) return lines.find((line) => line > from) ?? lines[0];
  return lines.findLast((line) => line < from) ?? lines.at(-1);
}
