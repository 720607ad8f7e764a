import type { CompletionItem } from '../../../context/completionSources.ts';

/** A first choice that leads to a second one, while what is typed may become its name. */
export function step(text: string, label: string, detail: string, icon: string): CompletionItem[] {
  return label.startsWith(text.toLowerCase()) ? [{ label, detail, icon }] : [];
}

/** What is typed after the name of a step; undefined where it is not that step. */
export function withinStep(text: string, label: string): string | undefined {
  return text.toLowerCase().startsWith(label) ? text.slice(label.length) : undefined;
}
