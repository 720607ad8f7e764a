import { element, iconButton } from '../parts/dom.ts';
import type { Strings } from '../shared/protocol/protocol.ts';

/** The footnotes of one answer. */
export interface Footnotes {
  dress(nodes: ParentNode, closed: boolean): void;
}

/**
 * A reference becomes a link when its footnote is there, which may be long after it. Both lead to each other, by the label
 * alone: an answer gives no element an id.
 */
export function createFootnotes(strings: Strings): Footnotes {
  const known = new Set<string>();
  /** References that are drawn for good, and whose footnotes are not there yet. */
  const waiting = new Map<string, Element[]>();
  const nameOf = (label: string): string => (strings['footnote'] ?? '').replace('{0}', () => label);

  function makeLink(reference: Element, label: string): void {
    reference.className = 'footnote-reference';
    reference.setAttribute('role', 'link');
    reference.setAttribute('tabindex', '0');
    reference.setAttribute('aria-label', nameOf(label));
    reference.textContent = label;
    onUse(reference, () => goTo(reference, `[data-note="${CSS.escape(label)}"]`));
  }

  function dressNote(note: Element, label: string): void {
    note.setAttribute('role', 'note');
    note.setAttribute('tabindex', '-1');
    note.setAttribute('aria-label', nameOf(label));
    const back = (): void => goTo(note, `[data-note-of="${CSS.escape(label)}"]`);
    const body = element('div', {}, ...note.childNodes, iconButton('arrow-up', strings['backToText'] ?? '', back));
    note.replaceChildren(element('span', { class: 'footnote-label', text: label }), body);
  }

  return {
    dress(nodes, closed) {
      for (const note of nodes.querySelectorAll('[data-note]')) {
        const label = note.getAttribute('data-note') ?? '';
        dressNote(note, label);
        if (!closed) continue;
        known.add(label);
        for (const reference of waiting.get(label) ?? []) makeLink(reference, label);
        waiting.delete(label);
      }
      for (const reference of nodes.querySelectorAll('[data-note-of]')) {
        const label = reference.getAttribute('data-note-of') ?? '';
        if (known.has(label)) makeLink(reference, label);
        else if (closed) waiting.set(label, [...(waiting.get(label) ?? []), reference]);
      }
    },
  };
}

function onUse(link: Element, use: () => void): void {
  link.addEventListener('click', use);
  link.addEventListener('keydown', (event) => (event as KeyboardEvent).key === 'Enter' && use());
}

function goTo(from: Element, selector: string): void {
  const target = from.closest('.markdown')?.querySelector<HTMLElement>(selector);
  target?.scrollIntoView({ block: 'nearest' });
  target?.focus({ preventScroll: true });
}
