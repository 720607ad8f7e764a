/** The chat panel as the suites see and touch it. */
import { commands } from 'vscode';
import { click, fill, focus, press, text, texts, type, visible, waitFor } from './hands.ts';
import { until } from './until.ts';

/** A selector that only the chat panel's page contains. */
export const frame = '.composer';

/** The page of the view, whatever tabs there are. */
export const view = { frame, place: 'view' } as const;

export const chat = {
  async open(): Promise<void> {
    await commands.executeCommand('parley.chat.focus');
    await waitFor('.stage', view);
  },
  /** VS Code gives a view the focus late; a list that is open by then would be closed. */
  untilFocused: (): Promise<void> => waitFor('.box:focus', view),
  /** Types a question into the box and presses Enter. */
  async ask(question: string): Promise<void> {
    await chat.open();
    await fill('.box', question, view);
    await click('.box', view);
    await press('Enter');
  },
  questions: (): Promise<string[]> => texts('.question-text', view),
  answers: (): Promise<string[]> => texts('.answer .markdown', view),
  /** Waits until the last answer has ended, and gives its text. */
  async untilAnswered(part = ''): Promise<string> {
    return until(`the panel shows an answer with “${part}”`, async () => {
      if (await visible('.answer.streaming', view)) return undefined;
      const last = (await chat.answers()).at(-1);
      return last?.includes(part) && last !== '' ? last : undefined;
    });
  },
  /** Waits for the error that stands in the conversation; gives its sentence. */
  untilFailed: (part: string): Promise<string> =>
    until(`the panel says “${part}”`, async () =>
      (await texts('.error p', view)).find((sentence) => sentence.includes(part)),
    ),
  buttons: (): Promise<string[]> => texts('.error .button', view),
  press: (label: string): Promise<void> => click(`.button:text-is(${JSON.stringify(label)}):visible`, view),
  summary: (): Promise<string> => text('.footer .summary', view),
};

/** Whether two texts are the same but for white space, which the page draws as it likes. */
export function sameWords(a: string, b: string): boolean {
  const words = (text: string): string => text.trim().split(/\s+/).join(' ');
  return words(a) === words(b);
}

/** Writes into a field of the drawer, which is open. Of a switch, the first letter of its choice is written. */
export async function setField(name: string, written: string, where: Parameters<typeof fill>[2]): Promise<void> {
  const control = `#field-${name}`;
  if (await visible(`select${control}`, where)) {
    await focus(control, where);
    await type(written);
  } else await fill(control, written, where);
  await press('Tab');
}
