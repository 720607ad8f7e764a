import { element, iconButton, labelButton } from '../parts/dom.ts';
import { menuButton } from '../parts/menuButton.ts';
import { numberText } from '../parts/numberText.ts';
import type { TranscriptView } from '../shared/protocol/transcriptProtocol.ts';
import type { PageContext } from './pageContext.ts';

/** What can be done with the whole text. */
export interface Actions {
  readonly element: HTMLElement;
  /** Says that the text is in the clipboard. */
  showCopied(): void;
}

/** @param hasTimes whether the text can be copied with times */
export function createActions(
  { strings, post }: PageContext,
  isEmpty: boolean,
  hasTimes: boolean,
  more: readonly HTMLElement[],
): Actions {
  const status = element('span', { class: 'status', role: 'status' });
  const copy = (as?: 'paragraphs' | 'times'): void => {
    // The status is emptied first, so that a screen reader says it each time.
    status.textContent = '';
    post({ type: 'copy', ...(as && { as }) });
  };
  const copyButton = action(strings['copy'], 'copy', () => copy());
  const exportButton = action(strings['export'], 'export', () => post({ type: 'export' }));
  for (const button of [copyButton, exportButton]) button.disabled = isEmpty;
  const ways = menuButton(strings['copyWays'] ?? '', [
    { label: strings['copyParagraphs'] ?? '', choose: () => copy('paragraphs') },
    { label: strings['copyTimes'] ?? '', choose: () => copy('times') },
  ]);
  const copies = hasTimes && strings['copyTimes'] !== undefined ? [copyButton, ways] : [copyButton];
  return {
    element: element(
      'div',
      { class: 'actions', role: 'group', 'aria-label': strings['actions'] },
      element('span', { class: 'split-button' }, ...copies),
      exportButton,
      ...more,
      status,
    ),
    showCopied() {
      status.textContent = strings['copied'] ?? '';
    },
  };
}

function action(label: string | undefined, icon: string, onclick: () => void): HTMLButtonElement {
  const button = labelButton(label, icon, onclick);
  button.className = 'button secondary';
  return button;
}

/** The buttons that translate the recording once more, and lead to its other translations. */
export function versionButtons({ strings, phrase, post }: PageContext, view: TranscriptView): HTMLElement[] {
  const { versions = 1 } = view;
  const again = action(strings['translateAgain'], 'sync', () => post({ type: 'translateAgain' }));
  if (versions < 2) return [again];
  return [again, action(phrase('versions', numberText(versions)), 'versions', () => post({ type: 'versions' }))];
}

/** The button that finds in the text; its title names the key of the machine. */
export function findButton({ phrase }: PageContext, find: () => void): HTMLButtonElement {
  return iconButton('search', phrase('findOpen', /^Mac/.test(navigator.platform) ? '⌘F' : 'Ctrl+F'), find);
}
