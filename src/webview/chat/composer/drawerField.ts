import { element } from '../../parts/dom.ts';
import type { FieldState, FieldView } from '../../shared/protocol/drawerProtocol.ts';
import type { Page } from '../page.ts';

/** A field of the request in the drawer: its name, a control for its kind, and a line on what it does. */
export interface DrawerField {
  readonly element: HTMLElement;
  /** What is being written stays. */
  update(state: FieldState): void;
  /** What was written last is not taken. */
  showProblem(problem: string): void;
  /** What is written here was for another conversation. */
  forget(): void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function createDrawerField({ post, announce, strings }: Page, field: FieldView): DrawerField {
  const { name, label, detail, values } = field;
  const control = createControl(field, `field-${name}`, strings['unset'] ?? '');
  control.setAttribute('aria-describedby', `about-${name}`);
  const problem = element('p', { class: 'field-problem', hidden: true });
  const remark = element('p', { class: 'field-remark', hidden: true });
  const about = element('div', { id: `about-${name}` }, element('p', { text: detail }), remark, problem);
  const root = element(
    'div',
    { class: ['json', 'lines'].includes(field.kind) ? 'field wide' : 'field' },
    element('label', { for: control.id, text: label, title: `${name}: ${values}` }),
    control,
    ...helpOf(name).map((type) =>
      element('button', { class: 'link', type: 'button', text: strings[type], onclick: () => post({ type }) }),
    ),
    about,
  );
  /** What the conversation has, as it is known here. */
  let known = '';

  function send(): void {
    if (control.value === known && problem.hidden) return;
    known = control.value;
    hideProblem();
    post({ type: 'setField', name, text: control.value });
  }

  function hideProblem(): void {
    problem.hidden = true;
    control.removeAttribute('aria-invalid');
  }

  control.addEventListener('change', send);
  control.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Enter' && control instanceof HTMLInputElement) send();
  });

  return {
    element: root,
    update({ own = '', inSettings, remark: said, isOff = false }) {
      root.classList.toggle('off', isOff);
      remark.hidden = said === undefined;
      remark.textContent = said ?? '';
      const usual =
        inSettings === undefined ? values : (strings['asInSettings'] ?? '').replace('{0}', () => inSettings);
      if (control instanceof HTMLSelectElement) {
        const [unset] = control.options;
        if (unset !== undefined) unset.text = inSettings === undefined ? (strings['unset'] ?? '') : usual;
      } else control.placeholder = usual;
      if (!problem.hidden || own === known) return;
      // Somebody else changed it, or it was read as something else.
      if (document.activeElement === control && control.value !== known) return;
      known = own;
      control.value = own;
    },
    showProblem(said) {
      problem.textContent = said;
      problem.hidden = false;
      control.setAttribute('aria-invalid', 'true');
      announce(`${label}: ${said}`);
    },
    forget() {
      hideProblem();
      control.value = known;
    },
  };
}

/** What helps with a field that is hard to write: a schema is a file, and token ids are no words. */
function helpOf(name: string): ('pickSchema' | 'biasWords')[] {
  if (name === 'response_format') return ['pickSchema'];
  return name === 'logit_bias' ? ['biasWords'] : [];
}

function createControl({ kind, words }: FieldView, id: string, unset: string): Control {
  if (kind === 'switch') {
    const options = ['', 'true', 'false'].map((value) => element('option', { value, text: value || unset }));
    return element('select', { id }, ...options);
  }
  const attributes = { id, spellcheck: 'false', autocomplete: 'off' };
  if (kind === 'number') return element('input', { ...attributes, type: 'text', inputmode: 'decimal' });
  if (kind === 'text') return element('input', { ...attributes, type: 'text' });
  if (kind !== 'word') return element('textarea', { ...attributes, rows: '1' });
  return element('textarea', { ...attributes, rows: '1', title: words.join(', ') });
}
