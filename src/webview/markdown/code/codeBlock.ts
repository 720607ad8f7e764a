import { element, iconButton } from '../../parts/dom.ts';
import { toolbar } from '../../parts/toolbar.ts';
import { showUnseen } from '../../parts/unseen.ts';
import { shellOf } from '../../shared/shellLanguages.ts';
import { highlight } from '../highlight.ts';
import { applyButton } from './applyButton.ts';
import type { CodePage } from './codePage.ts';
import { foldCode, isLong } from './fold.ts';

/**
 * Gives each code block under `root` a header with its language and buttons. One that is at its end gets its colours.
 * @param folds whether long code at its end is folded
 */
export function dressCodeBlocks(root: ParentNode, page: CodePage, closed: boolean, folds: () => boolean): void {
  for (const pre of root.querySelectorAll('pre')) {
    const code = pre.querySelector('code');
    if (code !== null) dress(pre, code, page, closed, folds);
  }
}

function dress(pre: HTMLElement, code: HTMLElement, page: CodePage, closed: boolean, folds: () => boolean): void {
  const { strings } = page;
  const language = pre.getAttribute('data-language') ?? '';
  pre.setAttribute('tabindex', '0');
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', [strings['code'], language].filter(Boolean).join(' '));
  const header = element(
    'div',
    { class: 'code-header' },
    element('span', { class: 'language', text: language || (strings['text'] ?? '') }),
    toolbar('code-buttons', strings['codeActions'], buttonsOf(code, pre, language, page, closed)),
  );
  const block = element('div', { class: 'code' }, header);
  pre.replaceWith(block);
  block.append(pre);
  if (!closed) return;
  const text = code.textContent ?? '';
  const draw = (shown: string): Node => {
    const nodes = highlight(shown, language) ?? fragmentOf(shown);
    showUnseen(nodes);
    return nodes;
  };
  if (isLong(text)) block.append(foldCode(code, text, draw, strings, folds()));
  else code.replaceChildren(draw(text));
}

function fragmentOf(text: string): DocumentFragment {
  const nodes = document.createDocumentFragment();
  nodes.append(text);
  return nodes;
}

function buttonsOf(
  code: HTMLElement,
  pre: HTMLElement,
  language: string,
  page: CodePage,
  closed: boolean,
): HTMLButtonElement[] {
  const { strings, actions, wrap } = page;
  // The text is read on a click: an open block still grows.
  const text = (): string => (code.textContent ?? '').replace(/\n$/, '');
  const button = (icon: string, label: string, run: () => void) => iconButton(icon, strings[label] ?? '', run);
  return [
    button('copy', 'copy', () => actions.copy(text())),
    button('insert', 'insert', () => actions.insert(text())),
    applyButton(pre, text, language, page, closed),
    button('new-file', 'newFile', () => actions.newFile(text(), language)),
    ...(shellOf(language) === undefined
      ? []
      : [button('terminal', 'runInTerminal', () => actions.runInTerminal(text(), language))]),
    ...(language.toLowerCase() === 'mermaid' ? [button('open-preview', 'preview', () => actions.preview(text()))] : []),
    wrap.button(),
  ];
}
