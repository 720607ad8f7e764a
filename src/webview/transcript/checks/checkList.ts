import { element, icon } from '../../parts/dom.ts';
import { showUnseen } from '../../parts/unseen.ts';
import { createWindowedList } from '../../parts/windowed/windowedList.ts';
import { type Line, reserveTimes } from '../lines/line.ts';

/** The places worth checking, one below the other, as long as they are these. */
export interface CheckList {
  readonly element: HTMLElement;
  /** The place that is chosen, from 0. */
  readonly active: number;
  /** Makes a place the one that is chosen. */
  select(place: number): void;
  redraw(place: number): void;
  /** Draws what is in sight; call it when the list is on the page. */
  update(): void;
  focus(): void;
}

export interface CheckListActions {
  /** The keyboard came to a place. */
  onSelect(place: number): void;
  /** A place was clicked, or Enter was pressed at it. */
  onChoose(place: number): void;
  onTick(place: number): void;
  onClose(): void;
}

/** Height of a place whose reason fits into a line, in pixels. */
const rowHeight = 28;
export const listId = 'checks';
const optionId = (place: number): string => `${listId}-${place}`;

/** @param places the lines that are such places */
export function createCheckList(
  label: string | undefined,
  lines: readonly Line[],
  places: readonly number[],
  first: number,
  { onSelect, onChoose, onTick, onClose }: CheckListActions,
): CheckList {
  let active = first;
  const options = element('ul', {
    id: listId,
    class: 'check-list',
    role: 'listbox',
    tabindex: '0',
    'aria-label': label,
  });
  reserveTimes(options, lines);
  const scroller = element('div', { class: 'checks' }, options);
  const windowed = createWindowedList(scroller, options, {
    count: places.length,
    draw: (place) => drawOption(lines[places[place] ?? -1], place, places.length, place === active),
    estimator: () => () => rowHeight,
  });

  function select(place: number): void {
    windowed.drawn.get(active)?.setAttribute('aria-selected', 'false');
    active = place;
    windowed.reveal(place, 'near')?.setAttribute('aria-selected', 'true');
    options.setAttribute('aria-activedescendant', optionId(place));
  }

  options.addEventListener('click', ({ target }) => {
    for (const [place, row] of windowed.drawn) if (target instanceof Node && row.contains(target)) onChoose(place);
  });
  options.addEventListener('keydown', (event) => {
    const last = places.length - 1;
    const to = { ArrowDown: Math.min(active + 1, last), ArrowUp: Math.max(active - 1, 0), Home: 0, End: last }[
      event.key
    ];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (to !== undefined) onSelect(to);
    else if (event.key === 'Enter') onChoose(active);
    else if (event.key === ' ' || event.key.toLowerCase() === 'c') onTick(active);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element: scroller,
    get active() {
      return active;
    },
    select,
    redraw: windowed.redraw,
    update: windowed.update,
    focus: () => options.focus(),
  };
}

function drawOption(line: Line | undefined, place: number, of: number, isActive: boolean): HTMLElement {
  const [time, reason] = [line?.heard?.time ?? '', line?.reason ?? ''];
  const option = element(
    'li',
    {
      id: optionId(place),
      class: line?.isSettled ? 'check settled' : 'check',
      role: 'option',
      title: reason,
      'aria-selected': String(isActive),
      'aria-setsize': String(of),
      'aria-posinset': String(place + 1),
    },
    ...(line?.isSettled ? [icon('check')] : []),
    element('span', { class: 'check-time', text: time }),
    element('span', { class: 'check-reason', text: reason }),
  );
  showUnseen(option);
  return option;
}
