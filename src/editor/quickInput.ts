import { type Event, l10n, type QuickInput, type QuickInputButton, QuickInputButtons, ThemeIcon } from 'vscode';
import { Disposables } from './disposables.ts';

/** The place of a question among those that are asked one after the other; shown in its title. */
export interface QuestionStep {
  readonly step: number;
  readonly totalSteps: number;
}

/** The answer of a user who goes back to the question before. */
export const goBack = Symbol('back');

/** The answer of a user who wants the answers so far to be kept, though they could not be tried. */
export const useAnyway = Symbol('anyway');

interface Question extends QuickInput {
  buttons: readonly QuickInputButton[];
  readonly onDidTriggerButton: Event<QuickInputButton>;
  readonly onDidAccept: Event<void>;
}

/**
 * Asks one of several questions: like `untilAnswered`, and the question stays when the focus goes elsewhere.
 * @param step where there are several questions; all but the first get VS Code's Back button
 * @param answer the answer as it stands when Enter is pressed; undefined to leave the question open
 * @param anyway the same for a button in the title that takes an answer that did not work before
 */
export function ask<T>(
  question: Question,
  step: QuestionStep | undefined,
  answer: () => T | undefined,
  anyway?: () => T | undefined,
): Promise<T | typeof goBack | undefined> {
  question.ignoreFocusOut = true;
  if (step !== undefined) {
    question.step = step.step;
    question.totalSteps = step.totalSteps;
  }
  const anywayButton = { iconPath: new ThemeIcon('debug-step-over'), tooltip: l10n.t('Use Anyway') };
  question.buttons = [
    ...(step !== undefined && step.step > 1 ? [QuickInputButtons.Back] : []),
    ...(anyway === undefined ? [] : [anywayButton]),
  ];
  return untilAnswered<T | typeof goBack>(question, answer, (button) =>
    button === QuickInputButtons.Back ? goBack : anyway?.(),
  );
}

/**
 * Shows a list or a box until it is answered, and disposes of it. Resolves to undefined when it is closed.
 * @param answer the answer as it stands when Enter is pressed; undefined to leave the question open
 * @param answerOf the same for a button in the title
 */
export function untilAnswered<T>(
  question: Question,
  answer: () => T | undefined,
  answerOf: (button: QuickInputButton) => T | undefined = () => undefined,
): Promise<T | undefined> {
  const owned = new Disposables();
  owned.add(question);
  return new Promise((resolve) => {
    const accept = (value: T | undefined): void => {
      if (value === undefined) return;
      resolve(value);
      question.hide();
    };
    owned.add(question.onDidAccept(() => accept(answer())));
    owned.add(question.onDidTriggerButton((button) => accept(answerOf(button))));
    owned.add(
      question.onDidHide(() => {
        resolve(undefined);
        owned.dispose();
      }),
    );
    question.show();
  });
}

/** Reads the item that Enter takes from a list: the event of the choice may come before the event that names the item. */
export function chosenItem<T>(pick: { readonly selectedItems: readonly T[]; readonly activeItems: readonly T[] }) {
  return pick.selectedItems[0] ?? pick.activeItems[0];
}
