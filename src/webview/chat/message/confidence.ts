import { element, iconButton } from '../../parts/dom.ts';
import type { ConfidenceView, TokenView } from '../../shared/confidenceProtocol.ts';
import type { Page } from '../page.ts';

/** From which percentage on a word is of each band, the surest first; five bands, of which the surest has no mark. */
const bands = [90, 70, 50, 30] as const;
/** What counts as unsure, in percent; the last one is every word. */
const thresholds = [30, 50, 70, 90, 101] as const;
const usualThreshold = 50;

/** An answer as it was written, each word marked by how sure the model was of it. */
export function createConfidence({ strings }: Page, view: ConfidenceView): HTMLElement {
  const { starts, percents, perplexity } = view;
  const node = document.createTextNode(view.text);
  const label = strings['confidence'] ?? '';
  const text = element('div', { class: 'confidence-text', tabindex: '0', role: 'group', 'aria-label': label }, node);
  const detail = element('div', { class: 'confidence-detail', role: 'status' });
  const summary = element('p', { class: 'confidence-summary' });
  const threshold = element(
    'select',
    { 'aria-label': strings['confidenceThreshold'] },
    ...thresholds.map((percent) =>
      element('option', {
        value: String(percent),
        text: percent > 100 ? strings['everyWord'] : (strings['below'] ?? '').replace('{0}', String(percent)),
        selected: percent === usualThreshold,
      }),
    ),
  );
  let current = -1;

  const endOf = (index: number): number => starts[index + 1] ?? node.length;
  /** A word without the blanks before it, which would be underlined. */
  const rangeOf = (index: number): StaticRange => {
    const start = starts[index] ?? 0;
    const blanks = /^\s*(?=\S)/.exec(view.text.slice(start, endOf(index)))?.[0].length ?? 0;
    return new StaticRange({
      ...{ startContainer: node, startOffset: start + blanks },
      ...{ endContainer: node, endOffset: endOf(index) },
    });
  };
  const isUnsure = (percent: number | null | undefined): boolean => (percent ?? 100) < Number(threshold.value);

  function summarise(): void {
    const said = (strings['confidenceSummary'] ?? '').replace('{0}', () => perplexity);
    summary.textContent = said
      .replace('{1}', String(percents.filter(isUnsure).length))
      .replace('{2}', String(starts.length));
  }

  function select(index: number): void {
    current = index;
    mark('current', [rangeOf(index)], node);
    detail.replaceChildren(...(JSON.parse(view.tokens[index] ?? '[]') as TokenView[]).map(tokenRow));
    showInBox(text, node, starts[index] ?? 0);
  }

  function step(by: 1 | -1): void {
    const count = starts.length;
    const order = starts.map((_, index) => (current + by * (index + 1) + 2 * count) % count);
    const next = order.find((index) => isUnsure(percents[index]));
    if (next !== undefined) select(next);
  }

  threshold.addEventListener('change', summarise);
  text.addEventListener('click', ({ clientX, clientY }) => {
    const place = document.caretPositionFromPoint(clientX, clientY);
    const index = place?.offsetNode === node ? starts.findLastIndex((start) => start <= place.offset) : -1;
    if (index >= 0) select(index);
  });
  bands.forEach((_, band) => {
    const ranges = percents.flatMap((percent, index) => (bandOf(percent) === band + 1 ? [rangeOf(index)] : []));
    mark(String(band + 1), ranges, node);
  });
  summarise();
  const head = element(
    'div',
    { class: 'confidence-head' },
    summary,
    element(
      'div',
      { class: 'confidence-steps' },
      threshold,
      iconButton('arrow-up', strings['unsureBefore'] ?? '', () => step(-1)),
      iconButton('arrow-down', strings['unsureAfter'] ?? '', () => step(1)),
    ),
  );
  return element('section', { class: 'confidence', 'aria-label': label }, head, text, detail);
}

/** 0 is the surest, which has no mark; a word of which nothing is known has none either. */
function bandOf(percent: number | null): number {
  return bands.filter((least) => (percent ?? 100) < least).length;
}

/** Marks ranges without elements of their own, of which there would be as many as words. Those of pages that are gone are dropped. */
function mark(band: string, ranges: readonly StaticRange[], of: Text): void {
  const name = `confidence-${band}`;
  const kept = [...(CSS.highlights.get(name) ?? [])].filter(
    ({ startContainer }) => startContainer !== of && startContainer.isConnected,
  );
  CSS.highlights.set(name, new Highlight(...kept, ...ranges));
}

/** Scrolls the box of the text so that a place in it is in sight. */
function showInBox(box: HTMLElement, node: Text, offset: number): void {
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, Math.min(node.length, offset + 1));
  const place = range.getBoundingClientRect();
  const view = box.getBoundingClientRect();
  if (place.top < view.top) box.scrollTop -= view.top - place.top;
  if (place.bottom > view.bottom) box.scrollTop += place.bottom - view.bottom;
}

function tokenRow({ text, percent, others }: TokenView): HTMLElement {
  const own = element('span', { class: 'token', text: `${visible(text)} ${percentText(percent)}` });
  const list = others.map(([other, likely]) => element('span', { text: `${visible(other)} ${percentText(likely)}` }));
  return element('p', {}, own, ...list);
}

/** Blanks at the ends of a token are a part of it. */
function visible(text: string): string {
  return `“${text.replaceAll('\n', '↵').replaceAll('\t', '⇥')}”`;
}

const percentText = (percent: number | undefined): string => (percent === undefined ? '' : `${percent} %`);
