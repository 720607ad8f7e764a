import type { Disposable } from 'vscode';
import type { FromComparison } from '../../../../webview/shared/protocol/comparisonProtocol.ts';
import type { FromChatPanel } from '../../../../webview/shared/protocol/protocol.ts';
import { type ComparingParts, compareAnswers } from './compareAnswers.ts';
import { createComparison } from './comparison.ts';

/** What a panel does about answers that are compared. */
export interface Comparing extends Disposable {
  take(message: FromComparison): Promise<unknown>;
  /** Sends a new page what is compared. */
  resend(): void;
}

interface ComparingPanelParts extends ComparingParts {
  /** Sends the page a message that is not lost while it is hidden. */
  readonly tell: ComparingParts['post'];
}

export function createComparing(parts: ComparingPanelParts): Comparing {
  const { shown, tell } = parts;
  const comparison = createComparison(shown, parts.post);

  const takers: { readonly [Type in FromComparison['type']]: (message: MessageOf<Type>) => unknown } = {
    compareAnswers: ({ text }) => compareAnswers(text, { ...parts, post: tell }),
    openComparison: ({ message }) => comparison.open(message),
    closeComparison: () => comparison.close(),
    stepColumn: ({ column, message }) => comparison.step(column, message),
    columnsDrawn: ({ seq }) => comparison.drawn(seq),
    goOnWith: ({ message }) => comparison.goOnWith(message),
    askMissing({ message }) {
      comparison.openWithNext(message);
      return shown.askMissing(message);
    },
  };

  return {
    async take(message) {
      const take = takers[message.type] as (message: FromComparison) => unknown;
      await take(message);
    },
    resend: comparison.resend,
    dispose: comparison.dispose,
  };
}

type MessageOf<Type> = Extract<FromComparison, { readonly type: Type }>;

const types: Readonly<Record<FromComparison['type'], true>> = {
  compareAnswers: true,
  openComparison: true,
  closeComparison: true,
  stepColumn: true,
  columnsDrawn: true,
  goOnWith: true,
  askMissing: true,
};

export function isAboutComparison(message: FromChatPanel): message is FromComparison {
  return Object.hasOwn(types, message.type);
}
