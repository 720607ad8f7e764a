/** Makes an element with attributes; text goes in as text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Makes a button. `icon` is the name of a codicon; `description` is for readers, where the label alone says too little. */
export function button(
  label: string | undefined,
  icon: string | undefined,
  press: () => void,
  description?: string,
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...(description ? { 'aria-label': description } : {}) });
  if (icon !== undefined) made.append(element('span', { class: `codicon codicon-${icon}`, 'aria-hidden': 'true' }));
  made.append(label ?? '');
  made.addEventListener('click', press);
  return made;
}
