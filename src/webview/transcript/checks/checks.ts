import { element, icon } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import { showUnseen } from '../../parts/unseen.ts';
import { createWindowedList } from '../../parts/windowed/windowedList.ts';
import { type Line, reserveTimes } from '../lines/line.ts';
import type { LineList } from '../lines/lineList.ts';
import type { PageContext } from '../pageContext.ts';

/** The places worth checking: a button that says how many, a list of them behind it, and keys that go from one to the next. */
export interface Checks {
  /** Absent where there is no such place. */
  readonly button: HTMLButtonElement | undefined;
  readonly panel: HTMLElement;
  /** Goes to the next place from the line at which the keyboard is, and around. Gives false where there is none. */
  step(by: 1 | -1): boolean;
}

/** Height of a place whose reason fits into a line, in pixels. */
const rowHeight = 28;
const listId = 'checks';
const optionId = (place: number): string => `${listId}-${place}`;

/** @param goTo called for a line that was chosen */
export function createChecks(
  page: PageContext,
  lines: readonly Line[],
  list: LineList,
  goTo: (line: number) => void,
): Checks {
  const { strings, phrase } = page;
  const places = [...lines.keys()].filter((line) => lines[line]?.reason !== undefined);
  let active = 0;
  const options = element('ul', {
    id: listId,
    class: 'check-list',
    role: 'listbox',
    tabindex: '0',
    'aria-label': strings['checksList'],
  });
  reserveTimes(options, lines);
  const panel = element('div', { class: 'checks', hidden: true }, options);
  const windowed = createWindowedList(panel, options, {
    count: places.length,
    draw: (place) => drawOption(lines[places[place] ?? -1], place, places.length, place === active),
    estimator: () => () => rowHeight,
  });
  const button = element(
    'button',
    {
      class: 'button secondary',
      type: 'button',
      title: strings['checksHint'],
      'aria-expanded': 'false',
      'aria-controls': listId,
      onclick: () => (panel.hidden ? open() : close()),
    },
    icon('warning'),
    places.length === 1 ? phrase('checkOne') : phrase('checks', numberText(places.length)),
  );

  function open(): void {
    panel.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    const next = places.findIndex((line) => line >= list.active);
    select(Math.max(0, next));
    options.focus();
  }

  function close(): void {
    panel.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    button.focus();
  }

  /** Makes a place the one that is chosen, and shows its line. */
  function select(place: number): void {
    windowed.drawn.get(active)?.setAttribute('aria-selected', 'false');
    active = place;
    windowed.reveal(place, 'near')?.setAttribute('aria-selected', 'true');
    options.setAttribute('aria-activedescendant', optionId(place));
    const line = places[place];
    if (line !== undefined) list.reveal(line, 'amid');
  }

  function choose(place: number): void {
    select(place);
    const line = places[place];
    if (line !== undefined) goTo(line);
  }

  options.addEventListener('click', ({ target }) => {
    for (const [place, row] of windowed.drawn) if (target instanceof Node && row.contains(target)) choose(place);
  });
  options.addEventListener('keydown', (event) => {
    const last = places.length - 1;
    const to = { ArrowDown: Math.min(active + 1, last), ArrowUp: Math.max(active - 1, 0), Home: 0, End: last }[
      event.key
    ];
    if (to !== undefined) select(to);
    else if (event.key === 'Enter') choose(active);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    button: places.length === 0 ? undefined : button,
    panel,
    step(by) {
      const next = nextPlace(places, list.active, by);
      if (next === undefined) return false;
      if (!panel.hidden) select(places.indexOf(next));
      goTo(next);
      page.announce(phrase('checkPlace', places.indexOf(next) + 1, places.length, lines[next]?.reason ?? ''));
      return true;
    },
  };
}

/** The next of the lines from one on, and around at the end. */
function nextPlace(lines: readonly number[], from: number, by: number): number | undefined {
  if (by === 1) return lines.find((line) => line > from) ?? lines[0];
  return lines.findLast((line) => line < from) ?? lines.at(-1);
}

function drawOption(line: Line | undefined, place: number, of: number, isActive: boolean): HTMLElement {
  const [time, reason] = [line?.heard?.time ?? '', line?.reason ?? ''];
  const option = element(
    'li',
    {
      id: optionId(place),
      class: 'check',
      role: 'option',
      title: reason,
      'aria-selected': String(isActive),
      'aria-setsize': String(of),
      'aria-posinset': String(place + 1),
    },
    element('span', { class: 'check-time', text: time }),
    element('span', { class: 'check-reason', text: reason }),
  );
  showUnseen(option);
  return option;
}
