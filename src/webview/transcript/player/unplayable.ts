import { element, labelButton } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import type { PageContext } from '../pageContext.ts';

/** What stands in the place of a player that cannot play: a sentence, and a way to hear the recording elsewhere. */
export interface Unplayable {
  show(): void;
  /** Shows it, and asks, once, for a copy that can be played. */
  fail(): void;
  /** Says that a copy is being made. @param share how much of it is there, from 0 to 1 */
  preparing(share: number): void;
}

export function createUnplayable({ strings, post, phrase }: PageContext, place: HTMLElement): Unplayable {
  const sentence = element('p', {});
  let hasAsked = false;

  function show(): void {
    const open = labelButton(strings['openRecording'], 'link-external', () => post({ type: 'openRecording' }));
    open.className = 'button secondary';
    sentence.textContent = strings['cannotPlay'] ?? '';
    place.replaceChildren(sentence, open);
  }

  return {
    show,
    fail() {
      show();
      if (hasAsked) return;
      hasAsked = true;
      post({ type: 'cannotPlay' });
    },
    preparing(share) {
      sentence.textContent = phrase('preparing', numberText(share, { style: 'percent', maximumFractionDigits: 0 }));
    },
  };
}
