import { element, iconButton } from '../../parts/dom.ts';
import { bandOf, confidenceBands, usualThreshold } from '../../shared/confidenceBands.ts';
import type { ConfidenceView } from '../../shared/protocol/confidenceProtocol.ts';
import type { Page } from '../page.ts';
import { createLeastSure } from './leastSure.ts';
import { type SureText, textByTokens, textByWords } from './sureText.ts';
import { tokenRows } from './tokenRows.ts';

/** What counts as unsure, in percent; the last one is every word. */
const thresholds = [30, 50, 70, 90, 101] as const;

/** An answer as it was written, each word or token marked by how sure the model was of it. */
export function createConfidence(page: Page, message: string, view: ConfidenceView): HTMLElement {
  const { strings } = page;
  let shown = textByWords(view);
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
  const unit = element(
    'select',
    { 'aria-label': strings['confidenceUnit'] },
    element('option', { value: 'words', text: strings['byWords'] }),
    element('option', { value: 'tokens', text: strings['byTokens'] }),
  );
  const least = createLeastSure(strings, (index) => select(index));
  let current = -1;
  const isUnsure = (percent: number | null): boolean => (percent ?? 100) < Number(threshold.value);

  function draw(): void {
    const ranges: StaticRange[][] = confidenceBands.map(() => []);
    for (const [at, percent] of shown.percents.entries()) ranges[bandOf(percent) - 1]?.push(rangeOf(at, shown, node));
    for (const [band, ofBand] of ranges.entries()) mark(String(band + 1), ofBand, node);
    mark('current', [], node);
    current = -1;
    detail.replaceChildren();
    summarise();
  }

  function summarise(): void {
    const { percents } = shown;
    const sentence = strings[unit.value === 'tokens' ? 'confidenceSummaryTokens' : 'confidenceSummary'] ?? '';
    summary.textContent = sentence
      .replace('{0}', () => view.perplexity)
      .replace('{1}', String(percents.filter(isUnsure).length))
      .replace('{2}', String(percents.length));
    least.show(shown, isUnsure);
  }

  function select(index: number): void {
    current = index;
    mark('current', [rangeOf(index, shown, node)], node);
    detail.replaceChildren(...tokenRows(page, message, view, shown.tokensAt(index), shown.starts[index] ?? 0));
    showInBox(text, node, shown.starts[index] ?? 0);
  }

  function step(by: 1 | -1): void {
    const count = shown.starts.length;
    // Before the first step, the last one is before the beginning.
    const from = current < 0 && by < 0 ? count : current;
    const order = shown.starts.map((_, index) => (from + by * (index + 1) + count) % count);
    const next = order.find((index) => isUnsure(shown.percents[index] ?? null));
    if (next !== undefined) select(next);
  }

  threshold.addEventListener('change', summarise);
  unit.addEventListener('change', () => {
    shown = unit.value === 'tokens' ? textByTokens(view) : textByWords(view);
    draw();
  });
  text.addEventListener('click', ({ clientX, clientY }) => {
    const place = document.caretPositionFromPoint(clientX, clientY);
    const index = place?.offsetNode === node ? shown.starts.findLastIndex((start) => start <= place.offset) : -1;
    if (index >= 0) select(index);
  });
  draw();
  const steps = element(
    'div',
    { class: 'confidence-steps' },
    unit,
    threshold,
    iconButton('arrow-up', strings['unsureBefore'] ?? '', () => step(-1)),
    iconButton('arrow-down', strings['unsureAfter'] ?? '', () => step(1)),
  );
  const head = element('div', { class: 'confidence-head' }, summary, steps);
  const parts = [head, confidenceLegend(page), text, detail, least.element];
  return element('section', { class: 'confidence', 'aria-label': label }, ...parts);
}

/** Which line stands for what: each percentage has the line of the words below it. */
function confidenceLegend({ strings }: Page): HTMLElement {
  const bands = confidenceBands.map((percent, band) =>
    element('span', { class: `band-${band + 1}`, text: `${percent} %` }),
  );
  return element('p', { class: 'confidence-legend' }, `${strings['confidenceLegend'] ?? ''} `, ...bands);
}

/** A word without the blanks before it, which would be underlined. */
function rangeOf(index: number, { starts }: SureText, node: Text): StaticRange {
  const start = starts[index] ?? 0;
  const end = starts[index + 1] ?? node.length;
  const { data } = node;
  let startOffset = start;
  while (startOffset < end && isBlank(data.charCodeAt(startOffset))) startOffset++;
  // Of a word that is nothing but blanks, all is marked.
  if (startOffset === end) startOffset = start;
  return new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset: end });
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

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
