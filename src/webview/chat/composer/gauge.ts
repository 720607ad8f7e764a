import { element } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import type { WindowView } from '../../shared/fit.ts';
import { fitOf } from '../../shared/fit.ts';
import type { Page } from '../page.ts';

/** How much of the model's context window the next question takes; what takes it stands behind. */
export interface Gauge {
  readonly element: HTMLElement;
  update(view: WindowView | undefined, draft: string): void;
}

export function createGauge({ strings }: Page): Gauge {
  const bar = element('progress', { 'aria-hidden': 'true' });
  const share = element('span');
  const summary = element('summary', {}, bar, share);
  const rows = element('dl');
  const about = element('p', { text: strings['windowAbout'] });
  const root = element('details', { class: 'gauge' }, summary, element('div', { class: 'gauge-details' }, rows, about));
  let drawn = '';

  const close = (): void => {
    root.open = false;
  };
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !root.open) return;
    // Escape would also reach the panel, which stops the answer.
    event.stopPropagation();
    close();
    summary.focus();
  });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) close();
  });

  return {
    element: root,
    update(view, draft) {
      root.hidden = view === undefined;
      if (view === undefined) return close();
      const fit = fitOf(view, draft);
      const part = fit.used / view.size;
      const lines: [string | undefined, number][] = [
        [strings['windowInstructions'], view.instructions],
        [strings['windowEarlier'], fit.earlier],
        [strings['windowAttachments'], view.attachments],
        [strings['windowQuestion'], fit.question],
        [strings['windowAnswer'], view.answerRoom],
        [strings['windowFree'], Math.max(0, view.size - fit.used)],
        [strings['windowSize'], view.size],
      ];
      const next = JSON.stringify([part, lines]);
      if (next === drawn) return;
      drawn = next;
      bar.value = Math.min(1, part);
      share.textContent = numberText(Math.min(part, 9.99), { style: 'percent', maximumFractionDigits: 0 });
      summary.title = (strings['window'] ?? '').replace('{0}', () => share.textContent ?? '');
      summary.setAttribute('aria-label', summary.title);
      root.classList.toggle('full', part >= 0.9);
      rows.replaceChildren(
        ...lines.flatMap(([label, value]) =>
          value === 0 ? [] : [element('dt', { text: label }), element('dd', { text: numberText(value) })],
        ),
      );
    },
  };
}
