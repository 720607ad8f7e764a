import { fenced } from '../../base/codeFence.ts';
import { isJson } from '../../base/jsonText.ts';
import type { ChatEvent } from '../../service/chat/completion.ts';
import type { EditCall } from './readEditCalls.ts';

/** Gathers the first choice of an answer about edits, its text and its calls. `take` says whether there is more to be seen. */
export function createAnswerIntake() {
  const calls: { name: string; arguments: string }[] = [];
  const intake = {
    text: '',
    refusal: '',
    finishReason: undefined as string | undefined,
    tokens: undefined as number | undefined,
    lineCount: 0,
    get calls(): readonly EditCall[] {
      return calls;
    },
    take(event: ChatEvent): boolean {
      if (event.type === 'usage') {
        const { totalTokens, promptTokens, completionTokens } = event.usage;
        const both =
          promptTokens === undefined || completionTokens === undefined ? undefined : promptTokens + completionTokens;
        intake.tokens = totalTokens ?? both;
      }
      if (!('choice' in event) || event.choice !== 0) return false;
      if (event.type === 'finish') intake.finishReason = event.reason;
      if (event.type === 'refusal') intake.refusal += event.text;
      if (event.type === 'replace') {
        intake.text = event.text;
        return true;
      }
      if (event.type === 'text') {
        intake.text += event.text;
        intake.lineCount += event.text.split('\n').length - 1;
        return true;
      }
      return takeCall(event);
    },
  };

  function takeCall(event: ChatEvent): boolean {
    if (event.type === 'tool-call-delta') {
      calls[event.call] ??= { name: '', arguments: '' };
      const call = calls[event.call];
      if (call === undefined) return false;
      call.name = event.name;
      call.arguments += event.arguments;
      // Lines of arguments are written as escapes.
      intake.lineCount += event.arguments.split('\\n').length - 1;
      return true;
    }
    // What is whole counts, whatever its pieces were.
    if (event.type === 'tool-call') calls[event.call] = event.toolCall;
    if (event.type === 'function-call') calls.push(event.functionCall);
    return event.type === 'tool-call' || event.type === 'function-call';
  }
  return intake;
}

/** An answer as a person reads it: its words, and each call as JSON. */
export function answerText(text: string, calls: readonly EditCall[]): string {
  const written = calls.map((call) => fenced(indented(call.arguments), 'json'));
  return [text, ...written].filter((part) => part.trim() !== '').join('\n\n');
}

function indented(json: string): string {
  return isJson(json) ? JSON.stringify(JSON.parse(json), undefined, 2) : json;
}
