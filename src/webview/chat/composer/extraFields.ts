import { element } from '../../parts/dom.ts';
import type { ExtraFieldView } from '../../shared/protocol/drawerProtocol.ts';
import type { Page } from '../page.ts';

/** What `parley.chat.extraBody` adds to each request, to be read: it is set in the settings, for all conversations. */
export interface ExtraFields {
  readonly element: HTMLElement;
  update(fields: readonly ExtraFieldView[]): void;
}

export function createExtraFields({ strings, post }: Page): ExtraFields {
  const rows = element('dl', { class: 'extra-fields' });
  const about = element('p', { class: 'extra-about', text: strings['extraBodyAbout'] });
  const open = element('button', {
    class: 'link',
    type: 'button',
    text: strings['openExtraBody'],
    onclick: () => post({ type: 'openExtraBody' }),
  });
  const title = element('legend', { text: strings['extraBody'] });
  const root = element('fieldset', { hidden: true }, title, about, rows, open);
  let drawn = '[]';

  return {
    element: root,
    update(fields) {
      const next = JSON.stringify(fields);
      if (next === drawn) return;
      drawn = next;
      root.hidden = fields.length === 0;
      rows.replaceChildren(...fields.flatMap(rowOf));
    },
  };
}

function rowOf({ name, value, remark, isOff = false }: ExtraFieldView): HTMLElement[] {
  const said = remark === undefined ? [] : [element('p', { class: 'field-remark', text: remark })];
  const shown = element('span', { class: isOff ? 'extra-value off' : 'extra-value', text: value });
  return [element('dt', { text: name }), element('dd', {}, shown, ...said)];
}
