import type { CallableTool } from '../calls/calledInText.ts';
import type { ChoiceCalls } from '../calls/choiceCalls.ts';
import { createTextCalls, type TextCalls } from '../calls/textCalls.ts';
import type { ChatEvent } from '../completion.ts';
import type { ThoughtForm, ThoughtKeeper } from '../sentThoughts.ts';
import { createThoughtSplitter } from '../thoughts/thinking.ts';
import { createRepeatFilter } from './repeats.ts';

/** The text and the thoughts of one choice while they arrive. */
export interface ChoiceText {
  /** @param isLast whether the answer ends with the piece that holds it: a service may repeat all of it there */
  takeText(text: string, isLast: boolean): void;
  /** Thoughts in a member of their own. */
  takeThoughts(form: ThoughtForm, text: string, isLast: boolean): void;
  /** A thought that is passed on as it is. */
  takeThought(form: ThoughtForm, text: string): void;
  /** Passes on text that was held back. @param isComplete whether the answer ended as its model meant */
  end(isComplete: boolean): void;
}

/**
 * Tells thoughts, calls and text apart, and takes in once what a service repeats.
 * @param tools those of the request: calls of them in the text are read
 * @param emit takes the events, in order
 */
export function createChoiceText(
  choice: number,
  tools: readonly CallableTool[],
  calls: ChoiceCalls,
  kept: ThoughtKeeper,
  emit: (event: ChatEvent) => void,
): ChoiceText {
  const content = createThoughtSplitter(
    {
      onText(text) {
        if (textCalls === undefined) emit({ type: 'text', choice, text });
        else textCalls.take(text);
      },
      onThought: (text) => takeThought('tag', text),
      onCall: (call, name, added) => calls.take([{ index: call, function: { name, arguments: added } }], false),
      onReplaced(text, reasoning) {
        textCalls = createOwnTextCalls();
        kept.take('tag', reasoning);
        emit({ type: 'replace', choice, text, reasoning });
      },
    },
    () => texts.soFar(),
  );
  const texts = createRepeatFilter(content.take);
  let hasThoughts = false;
  let thoughtForm: ThoughtForm = 'reasoning_content';
  const thoughts = createRepeatFilter((text) => takeThought(thoughtForm, text));

  let textCalls = createOwnTextCalls();
  function createOwnTextCalls(): TextCalls | undefined {
    if (tools.length === 0) return undefined;
    return createTextCalls(
      tools,
      (text) => emit({ type: 'text', choice, text }),
      (call) => calls.take([{ function: call }], true),
    );
  }

  function takeThought(form: ThoughtForm, text: string): void {
    kept.take(form, text);
    emit({ type: 'reasoning', choice, text });
  }

  return {
    takeText(text, isLast) {
      if (hasThoughts) thoughts.end();
      texts.take(text, isLast);
    },
    takeThoughts(form, text, isLast) {
      content.settle();
      hasThoughts = true;
      thoughtForm = form;
      thoughts.take(text, isLast);
    },
    takeThought,
    end(isComplete) {
      thoughts.end();
      texts.end();
      content.end(isComplete);
      // A server that read the calls of its model left none in the text, or these very ones.
      textCalls?.end(isComplete, calls.hasCalls ? calls.isAsked : undefined);
    },
  };
}
