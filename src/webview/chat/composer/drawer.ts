import { element, iconButton } from '../../parts/dom.ts';
import type { DrawerView, FieldView } from '../../shared/protocol/drawerProtocol.ts';
import type { PanelState } from '../../shared/protocol/protocol.ts';
import type { Page } from '../page.ts';
import { createDrawerField, type DrawerField } from './drawerField.ts';
import { createExtraFields } from './extraFields.ts';

/** What the conversation is asked with, above the message box: every field of the request. */
export interface Drawer {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  /** Opens it with the focus in its first field, or closes it. */
  toggle(): void;
  open(): void;
  /** What the fields are; once for a page. */
  setFields(fields: readonly FieldView[]): void;
  update(state: PanelState): void;
  /** A field does not take what was written into it. */
  showProblem(name: string, problem: string): void;
  /** Another conversation is shown. */
  leave(): void;
}

/**
 * @param onToggle is called when it was opened or closed
 * @param draft what is in the message box
 */
export function createDrawer(page: Page, onToggle: () => void, draft: () => string): Drawer {
  const { strings, post } = page;
  const heading = element('h2', { id: 'drawer-title', text: strings['parametersTitle'] });
  const reset = element('button', {
    class: 'link',
    type: 'button',
    text: strings['resetParameters'],
    onclick: () => post({ type: 'resetConfiguration' }),
  });
  const head = element(
    'div',
    { class: 'drawer-head' },
    heading,
    iconButton('close', strings['closeParameters'] ?? '', close),
  );
  const prompt = createPromptRow(page, draft, reset);
  const files = element('div', { class: 'drawer-files' });
  const groups = element('div', { class: 'drawer-groups' });
  const extra = createExtraFields(page);
  const body = element('div', { class: 'drawer-body' }, prompt.element, files, groups, extra.element);
  const root = element('section', { class: 'drawer', 'aria-labelledby': 'drawer-title', hidden: true }, head, body);
  let fields: ReadonlyMap<string, DrawerField> = new Map();
  let drawn = '';
  let view: DrawerView | undefined;

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Escape would also reach the panel, which stops the answer.
    event.stopPropagation();
    close();
  });

  function close(): void {
    if (root.hidden) return;
    // What is written in a field is set when it loses the focus.
    page.focusBox();
    root.hidden = true;
    onToggle();
  }

  function open(): void {
    root.hidden = false;
    draw();
    onToggle();
    (groups.querySelector<HTMLElement>('input, select, textarea') ?? prompt.button).focus();
  }

  function draw(): void {
    if (view === undefined || root.hidden) return;
    for (const [name, field] of fields) field.update(view.fields[name] ?? {});
    prompt.update(view);
    extra.update(view.extra);
    const isOwn = Object.values(view.fields).some(({ own }) => own !== undefined);
    reset.hidden = !isOwn && !view.hasSystemPrompt && !view.hasModel && view.files.every(({ isSent }) => isSent);
    const json = JSON.stringify(view.files);
    if (json === drawn) return;
    drawn = json;
    files.replaceChildren(...fileRows(page, view.files));
  }

  return {
    element: root,
    get isOpen() {
      return !root.hidden;
    },
    toggle: () => (root.hidden ? open() : close()),
    open,
    setFields(all) {
      if (fields.size > 0) return;
      const made = all.map((field) => [field, createDrawerField(page, field)] as const);
      fields = new Map(made.map(([{ name }, field]) => [name, field]));
      const names = [...new Set(all.map(({ group }) => group))];
      groups.replaceChildren(
        ...names.map((group) =>
          element(
            'fieldset',
            {},
            element('legend', { text: group }),
            ...made.flatMap(([each, field]) => (each.group === group ? [field.element] : [])),
          ),
        ),
      );
    },
    update(state) {
      view = state.drawer;
      draw();
    },
    showProblem: (name, problem) => fields.get(name)?.showProblem(problem),
    leave() {
      for (const field of fields.values()) field.forget();
    },
  };
}

/** What stands for the conversation as a whole: its system prompt, and its model for new conversations. */
function createPromptRow({ strings, post }: Page, draft: () => string, reset: HTMLElement) {
  const button = element('button', {
    class: 'link',
    type: 'button',
    onclick: () => post({ type: 'openSystemPrompt' }),
  });
  const keep = element('button', { class: 'link', type: 'button', onclick: () => post({ type: 'keepModel' }) });
  keep.textContent = strings['keepModel'] ?? '';
  const link = (text: string | undefined, onclick: () => void) =>
    element('button', { class: 'link', type: 'button', text, onclick });
  const presets = link(strings['presets'], () => post({ type: 'pickPreset' }));
  const request = link(strings['requestAsJson'], () => post({ type: 'openRequest' }));
  const copy = link(strings['copyRequestAs'], () => post({ type: 'copyRequest', text: draft() }));
  return {
    element: element('div', { class: 'drawer-links' }, button, presets, request, copy, keep, reset),
    button,
    update({ hasSystemPrompt, hasModel }: DrawerView): void {
      button.textContent = strings[hasSystemPrompt ? 'ownSystemPrompt' : 'systemPrompt'] ?? '';
      keep.hidden = !hasModel;
    },
  };
}

function fileRows({ strings, post }: Page, files: DrawerView['files']): HTMLElement[] {
  if (files.length === 0) return [];
  const rows = files.map(({ id, label, isSent }) => {
    const box = element('input', { type: 'checkbox', checked: isSent });
    box.addEventListener('change', () => post({ type: 'sendFile', id, isSent: box.checked }));
    return element('label', { class: 'drawer-file' }, box, label);
  });
  return [element('fieldset', {}, element('legend', { text: strings['instructions'] }), ...rows)];
}
