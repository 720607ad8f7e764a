import { labelButton } from '../parts/dom.ts';
import type { TranscriptView } from '../shared/protocol/transcriptProtocol.ts';
import type { PageContext } from './pageContext.ts';

/** Shows the other text of the recording beside the lines, or does not. */
export interface BesideToggle {
  /** Absent where there is no other text. */
  readonly button: HTMLButtonElement | undefined;
  readonly isOn: boolean;
}

/**
 * @param isOn whether it was shown before
 * @param onToggle called when it is shown, or no longer, and at once where it is shown
 */
export function createBesideToggle(
  { strings, phrase }: PageContext,
  { beside }: TranscriptView,
  isOn: boolean,
  onToggle: (isOn: boolean) => void,
): BesideToggle {
  if (beside === undefined) return { button: undefined, isOn: false };
  let isShown = isOn;
  const button = labelButton(strings['beside'], 'split-horizontal', () => {
    isShown = !isShown;
    update();
    onToggle(isShown);
  });
  button.classList.add('button', 'secondary', 'toggle');
  button.title = phrase('besideTitle', beside.name);
  const update = (): void => button.setAttribute('aria-pressed', String(isShown));
  update();
  return {
    button,
    get isOn() {
      return isShown;
    },
  };
}
