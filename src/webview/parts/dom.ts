/** Makes an element. `class`, `text` and `onclick` are set as such, the rest are attributes; false leaves one out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: ElementProperties = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  const { class: className, text, onclick, ...attributes } = properties;
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (onclick !== undefined) made.addEventListener('click', onclick);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else if (value === true) made.setAttribute(name, '');
  }
  made.append(...children);
  return made;
}

interface ElementProperties {
  readonly class?: string | undefined;
  readonly text?: string | undefined;
  readonly onclick?: (() => void) | undefined;
  readonly [attribute: string]: string | boolean | (() => void) | undefined;
}

/** A codicon; hidden from screen readers, so its meaning needs a label. */
export function icon(name: string): HTMLElement {
  return element('span', { class: `codicon codicon-${name}`, 'aria-hidden': 'true' });
}

/** A button that shows an icon alone; its label is read and shown on hover. */
export function iconButton(name: string, label: string, onclick: () => void): HTMLButtonElement {
  return element(
    'button',
    { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick },
    icon(name),
  );
}

/** A button with a label, and an icon before it. `description` is for readers, where the label alone says too little. */
export function labelButton(
  label: string | undefined,
  iconName: string | undefined,
  onclick: () => void,
  description?: string,
): HTMLButtonElement {
  const before = iconName === undefined ? [] : [icon(iconName)];
  return element('button', { type: 'button', 'aria-label': description || undefined, onclick }, ...before, label ?? '');
}
