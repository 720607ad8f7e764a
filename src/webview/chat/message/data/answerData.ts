import { element, icon, iconButton } from '../../../parts/dom.ts';
import type { AnswerDataView, FromAnswerData } from '../../../shared/protocol/answerDataProtocol.ts';
import type { AnswerView } from '../../../shared/protocol/messageProtocol.ts';
import type { Page } from '../../page.ts';
import { createDataTree, type DataTree } from './dataTree.ts';

/** An answer that was asked for as JSON: as a tree in the place of its text, with what does not fit its schema. */
export interface AnswerDataElement {
  readonly element: HTMLElement;
  /** Asks the host for it, once the answer has ended. @param last whether it is the last message, which can be fixed */
  update(view: AnswerView, last: boolean): void;
}

/** The longest text that is shown as such, in characters. */
const longestRaw = 200_000;

/** @param onShow is told whether the tree, or the text as it was written, stands in the place of the answer's text */
export function createAnswerData(page: Page, onShow: (isShown: boolean) => void): AnswerDataElement {
  const root = element('section', { class: 'data', 'aria-label': page.strings['dataTree'], hidden: true });
  let asked: string | undefined;
  let fix: HTMLElement | undefined;
  let isLast = false;

  function show(view: AnswerDataView, message: string, text: string): void {
    page.keepPlace(() => {
      fix = view.canFix ? fixButton(page, message) : undefined;
      if (fix !== undefined) fix.hidden = !isLast;
      root.replaceChildren(...partsOf(page, view, { message, text, fix }));
      root.hidden = false;
      onShow(view.json !== undefined);
    });
  }

  return {
    element: root,
    update({ id, text, state, hasData }, last) {
      isLast = last;
      if (fix !== undefined) fix.hidden = !last;
      const wanted = hasData && state !== 'streaming' ? `${id} ${text.length}` : undefined;
      if (wanted === asked) return;
      asked = wanted;
      root.hidden = true;
      onShow(false);
      if (wanted === undefined) return;
      page.data.set(id, (view) => {
        page.data.delete(id);
        if (asked === wanted) show(view, id, text);
      });
      page.post({ type: 'showData', message: id });
    },
  };
}

function fixButton({ strings, post }: Page, message: string): HTMLElement {
  const onclick = (): void => post({ type: 'fixData', message });
  return element('button', { class: 'button secondary', type: 'button', text: strings['fixData'], onclick });
}

interface Shown {
  readonly message: string;
  readonly text: string;
  readonly fix: HTMLElement | undefined;
}

function partsOf(page: Page, view: AnswerDataView, { message, text, fix }: Shown): HTMLElement[] {
  const notes = view.notes.map((note) =>
    view.isBroken ? statusLine('error', note) : element('p', { class: 'note', text: note }),
  );
  const fixes = fix === undefined ? [] : [fix];
  if (view.json === undefined) return [...notes, ...fixes];
  const tree = createDataTree(page, view.json, view.violations);
  const raw = element('pre', { class: 'data-raw', tabindex: '0', hidden: true, text: text.slice(0, longestRaw) });
  const toggle = rawToggle(page, tree.element, raw);
  const summary =
    view.summary === undefined ? [] : [statusLine(view.violations.length > 0 ? 'error' : 'check', view.summary)];
  const copies = copyGroup(page, message);
  // What is copied stands below the sentence, or in its place.
  const rest = summary.length === 0 ? [copies, toggle] : [toggle, copies];
  const head = element('div', { class: 'data-head' }, ...summary, ...rest);
  return [head, ...violationList(page, view, tree), ...fixes, ...notes, tree.element, raw];
}

function statusLine(name: 'error' | 'check', text: string): HTMLElement {
  return element(
    'p',
    { class: name === 'error' ? 'data-status is-wrong' : 'data-status' },
    icon(name),
    element('span', { text }),
  );
}

/** Shows the text in the place of the tree, and the tree again. */
function rawToggle({ strings }: Page, tree: HTMLElement, raw: HTMLElement): HTMLElement {
  const button = iconButton('code', strings['dataRaw'] ?? '', () => {
    raw.hidden = !raw.hidden;
    tree.hidden = !raw.hidden;
    button.setAttribute('aria-pressed', String(!raw.hidden));
  });
  button.setAttribute('aria-pressed', 'false');
  return button;
}

const copies = [
  ['json', 'copyJson'],
  ['typescript', 'copyTypeScript'],
  ['zod', 'copyZod'],
] as const satisfies readonly (readonly [Extract<FromAnswerData, { readonly type: 'copyData' }>['as'], string])[];

function copyGroup({ strings, post, announce }: Page, message: string): HTMLElement {
  const buttons = copies.map(([as, name]) => {
    const onclick = (): void => {
      post({ type: 'copyData', message, as });
      announce(strings['copied'] ?? '');
    };
    return element('button', { class: 'link', type: 'button', text: strings[name], onclick });
  });
  return element('div', { class: 'data-copies' }, ...buttons);
}

/** What does not fit, in the order of the answer: each goes to its place. */
function violationList({ strings }: Page, { violations }: AnswerDataView, tree: DataTree): HTMLElement[] {
  if (violations.length === 0) return [];
  const items = violations.map(({ path, place, sentence }) => {
    const where = place === '' ? (strings['wholeAnswer'] ?? '') : place;
    const name = element('span', { class: place === '' ? undefined : 'data-place', text: where });
    const words = element('span', {}, name, ` ${sentence}`);
    const onclick = (): void => {
      if (!tree.element.hidden) tree.goTo(path);
    };
    return element(
      'li',
      {},
      element('button', { class: 'data-violation', type: 'button', onclick }, icon('error'), words),
    );
  });
  return [element('ol', { class: 'data-violations', 'aria-label': strings['violations'] }, ...items)];
}
