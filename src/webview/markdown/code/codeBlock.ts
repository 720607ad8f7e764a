import { element, iconButton } from '../../parts/dom.ts';
import type { Strings } from '../../shared/protocol.ts';
import { highlight } from '../highlight.ts';

/** The actions of a code block's buttons. */
export interface CodeActions {
  copy(code: string): void;
  insert(code: string): void;
}

/** Gives each code block under `root` a header with its language, Copy and Insert at Cursor, and colours where asked. */
export function dressCodeBlocks(root: ParentNode, actions: CodeActions, strings: Strings, colour: boolean): void {
  for (const pre of root.querySelectorAll('pre')) {
    const code = pre.querySelector('code');
    const language = pre.getAttribute('data-language') ?? '';
    if (code === null) continue;
    // The text is read on a click: an open block still grows.
    const text = (): string => (code.textContent ?? '').replace(/\n$/, '');
    const header = element(
      'div',
      { class: 'code-header' },
      element('span', { class: 'language', text: language || (strings['text'] ?? '') }),
      iconButton('copy', strings['copy'] ?? '', () => actions.copy(text())),
      iconButton('insert', strings['insert'] ?? '', () => actions.insert(text())),
    );
    const label = [strings['code'], language].filter(Boolean).join(' ');
    pre.setAttribute('tabindex', '0');
    pre.setAttribute('role', 'group');
    pre.setAttribute('aria-label', label);
    if (colour) colourCode(code, language);
    const block = element('div', { class: 'code' }, header);
    pre.replaceWith(block);
    block.append(pre);
  }
}

function colourCode(code: HTMLElement, language: string): void {
  const coloured = highlight(code.textContent ?? '', language);
  if (coloured !== undefined) code.replaceChildren(coloured);
}
