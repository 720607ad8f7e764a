import { element, icon } from '../../parts/dom.ts';
import type { OpenFileView } from '../../shared/protocol/messageProtocol.ts';
import type { Page } from '../page.ts';

/** The file that is open in the editor, as a chip that one click turns off or on. */
export interface OpenFileChip {
  readonly element: HTMLElement;
  update(view: OpenFileView | undefined): void;
}

export function createOpenFileChip({ strings, post, announce }: Page): OpenFileChip {
  let shown: OpenFileView | undefined;
  const isOn = (): boolean => shown?.state !== 'off';
  const toggle = (): void => post({ type: 'sendOpenFile', isSent: !isOn() });
  const button = element('button', { class: 'chip open-file', type: 'button', onclick: toggle });
  const item = element('li', {}, button);
  const root = element('ul', { class: 'chips', 'aria-label': strings['openFile'], hidden: true });
  let drawn = '';

  return {
    element: root,
    update(view) {
      const next = JSON.stringify(view ?? '');
      if (next === drawn) return;
      const isTurned = shown?.chip.title !== view?.chip.title && document.activeElement === button;
      drawn = next;
      shown = view;
      root.hidden = view === undefined;
      if (view === undefined) return item.remove();
      if (!item.isConnected) root.append(item);
      const { chip, state } = view;
      const act = strings[isOn() ? 'openFileOff' : 'openFileOn'] ?? '';
      button.title = `${chip.title}\n${act}`;
      button.setAttribute('aria-pressed', String(isOn()));
      button.setAttribute('aria-description', `${chip.title}. ${act}`);
      button.classList.toggle('off', state === 'off');
      button.replaceChildren(
        icon(isOn() ? 'eye' : 'eye-closed'),
        element('span', { class: 'open-file-name', text: chip.label }),
        element('span', { class: 'sr-only', text: ` ${strings['openFile'] ?? ''} ` }),
        ...(chip.tokens === undefined ? [] : [element('span', { class: 'chip-tokens', text: chip.tokens })]),
      );
      if (isTurned) announce(chip.title);
    },
  };
}
