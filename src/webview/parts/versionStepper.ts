import type { VersionsView } from '../shared/protocol/messageProtocol.ts';
import type { Strings } from '../shared/protocol/protocol.ts';
import { element, iconButton } from './dom.ts';

/** `‹ 2 / 3 ›`: steps through the versions of a message. */
export function versionStepper(
  strings: Strings,
  versions: VersionsView,
  choose: (message: string) => void,
): HTMLElement {
  const { at, of, before, after } = versions;
  const step = (name: string, label: string | undefined, to: string | undefined): HTMLElement => {
    const button = iconButton(name, label ?? '', () => to !== undefined && choose(to));
    // It keeps the focus at the end: on the other button, a key that is still held down would step back.
    if (to === undefined) button.setAttribute('aria-disabled', 'true');
    return button;
  };
  const label = (strings['versionOf'] ?? '').replace('{0}', String(at)).replace('{1}', String(of));
  return element(
    'span',
    { class: 'versions', role: 'group', 'aria-label': label },
    step('chevron-left', strings['versionBefore'], before),
    element('span', { 'aria-hidden': 'true', text: `${at} / ${of}` }),
    step('chevron-right', strings['versionAfter'], after),
  );
}
