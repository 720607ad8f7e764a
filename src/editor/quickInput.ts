import { type Event, type QuickInput, type QuickInputButton, QuickInputButtons } from 'vscode';
import { Disposables } from './disposables.ts';

/** The place of a question among those that are asked one after the other; shown in its title. */
export interface Step {
  readonly step: number;
  readonly totalSteps: number;
}

/** The answer of a person who wants to see the question before this one again. */
export const goBack = Symbol('back');

interface Question extends QuickInput {
  buttons: readonly QuickInputButton[];
  readonly onDidTriggerButton: Event<QuickInputButton>;
  readonly onDidAccept: Event<void>;
}

/**
 * Shows a question until it is answered, and disposes of it. Resolves to undefined when it is closed.
 * @param step where there are several questions; all but the first get VS Code's Back button
 * @param answer the answer as it stands when Enter is pressed; undefined to leave the question open
 */
export function ask<T>(
  question: Question,
  step: Step | undefined,
  answer: () => T | undefined,
): Promise<T | typeof goBack | undefined> {
  const owned = new Disposables();
  owned.add(question);
  question.ignoreFocusOut = true;
  if (step !== undefined) {
    question.step = step.step;
    question.totalSteps = step.totalSteps;
    if (step.step > 1) question.buttons = [QuickInputButtons.Back];
  }
  return new Promise((resolve) => {
    const end = (value: T | typeof goBack): void => {
      resolve(value);
      question.hide();
    };
    owned.add(
      question.onDidAccept(() => {
        const value = answer();
        if (value !== undefined) end(value);
      }),
    );
    owned.add(question.onDidTriggerButton((button) => button === QuickInputButtons.Back && end(goBack)));
    owned.add(
      question.onDidHide(() => {
        resolve(undefined);
        owned.dispose();
      }),
    );
    question.show();
  });
}
