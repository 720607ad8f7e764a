/** The character that opens the list of choices at the message box. */
export type CompletionTrigger = '@' | '/';

/** A choice of that list. */
export interface CompletionView {
  readonly id: string;
  readonly label: string;
  /** What tells it from others of that name, or what it does; empty where there is nothing to say. */
  readonly detail: string;
  /** A codicon. */
  readonly icon: string;
  /** A `step` leads on: its label is typed after the trigger, and the list shows the choices within. */
  readonly kind: 'item' | 'step';
  /** What is written in its place, at once: what is typed next comes after it. Absent where the host does what was chosen. */
  readonly insert?: string | undefined;
  /** What stays in the sentence for it, while the host does what was chosen: the name on its chip. Empty where it has none. */
  readonly words?: string | undefined;
}
