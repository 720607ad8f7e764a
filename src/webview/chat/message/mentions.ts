import { element } from '../../parts/dom.ts';
import type { ChipView } from '../../shared/protocol/messageProtocol.ts';
import { mentionsIn } from './mentionsIn.ts';

/**
 * Makes links of the names of what went along with a question, where its words have them. The words stay as they are, also for
 * whoever selects them.
 * @param open opens what a chip stands for
 */
export function linkMentions(question: HTMLElement, chips: readonly ChipView[], open: (chip: string) => void): void {
  if (chips.length === 0) return;
  const labels = chips.map(({ label }) => label);
  const walker = document.createTreeWalker(question, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text);
  for (const text of texts) {
    // From the end: what stands before a name keeps its place.
    for (const { start, end, name } of mentionsIn(text.data, labels).reverse()) {
      const chip = chips[name];
      if (chip === undefined) continue;
      const words = text.splitText(start);
      words.splitText(end - start);
      const link = mentionLink(chip, () => open(chip.id));
      words.replaceWith(link);
      link.append(words);
    }
  }
}

function mentionLink({ title }: ChipView, onclick: () => void): HTMLElement {
  const link = element('span', { class: 'file-reference', role: 'link', tabindex: '0', title, onclick });
  link.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') onclick();
  });
  return link;
}
