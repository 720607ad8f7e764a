import type { Clock } from '../../base/clock.ts';
import type { ChatEvent } from '../../service/chat/completion.ts';
import type { Adjustment } from '../../service/compat/fieldMemory.ts';
import type { AskedCall, DispatchGrowth } from '../conversation/conversation.ts';
import { createGoingOn, type GoesOnFrom } from './goingOn.ts';
import { limitsLeft } from './requestFacts.ts';

/** The longest fingerprint that is kept, in characters. */
const longestFingerprint = 200;
/** The most calls of one answer that are shown. */
const mostCalls = 128;

/** Takes in the events of one answer, which is one choice of a request. Text is gathered for a moment, in the order it came. */
export interface Intake {
  /** Takes the next event of the choice. */
  take(event: ChatEvent): void;
  /** Passes on the text that is gathered: nothing more comes. */
  flush(): void;
}

/**
 * @param started the time of the clock when the question was sent
 * @param before what an answer goes on from: what is repeated of its text is not taken in once more
 */
export function createIntake(
  dispatch: DispatchGrowth,
  clock: Clock,
  started: number,
  before: GoesOnFrom = { text: '', reasoning: '' },
): Intake {
  const gatherer = createGatherer(dispatch, clock);
  const goingOn = createGoingOn(before, dispatch, gatherer.flush);
  const adjustments: Adjustment[] = [];
  const calls: AskedCall[] = [];
  let isBegun = false;
  /** Whether it is known that the service tells how sure the model is. */
  let isTold = false;
  let declined = false;

  function gather(field: 'reasoning' | 'text', text: string): void {
    if (!isBegun) dispatch({ type: 'describe', facts: { timings: { firstTokenMs: clock.now() - started } } });
    isBegun = true;
    if (field === 'reasoning') goingOn.think(text);
    gatherer.add(field, field === 'text' ? goingOn.take(text) : text);
  }

  function flush(): void {
    const rest = goingOn.end();
    if (rest !== '') gatherer.add('text', rest);
    gatherer.flush();
    // All come with the end of the answer: told one by one, each would be told again with the next.
    if (calls.length > 0) dispatch({ type: 'describe', facts: { calls } });
  }

  function takeCall({ name, arguments: given }: AskedCall): void {
    if (calls.length === mostCalls) return;
    calls.push({ name, arguments: given });
  }

  function take(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        gather(event.type, event.text);
        break;
      case 'replace':
        goingOn.replace(event.text, event.reasoning);
        break;
      case 'refusal':
        if (!declined) dispatch({ type: 'describe', facts: { declined: true } });
        declined = true;
        gather('text', event.text);
        break;
      case 'finish':
        dispatch({ type: 'describe', facts: { finishReason: event.reason } });
        break;
      case 'usage':
        dispatch({ type: 'describe', facts: { usage: event.usage } });
        break;
      case 'adjusted': {
        const { type: _, remembered, ...adjustment } = event;
        // An adjustment that an earlier question found out was reported there.
        if (remembered) break;
        adjustments.push(adjustment);
        dispatch({ type: 'describe', facts: { adjustments: [...adjustments] } });
        break;
      }
      case 'tool-call':
        takeCall(event.toolCall);
        break;
      case 'function-call':
        takeCall(event.functionCall);
        break;
      case 'logprobs':
        if (!isTold) dispatch({ type: 'describe', facts: { hasLogprobs: true } });
        isTold = true;
        break;
      case 'identity':
        if (event.systemFingerprint !== undefined) {
          const systemFingerprint = event.systemFingerprint.slice(0, longestFingerprint);
          dispatch({ type: 'describe', facts: { systemFingerprint } });
        }
        break;
      case 'limits':
        dispatch({ type: 'describe', facts: { limits: limitsLeft(event.limits, clock.now()) } });
        break;
      case 'model':
        gatherer.setModel(event.model);
    }
  }

  return { take, flush };
}

/** Time for which pieces of text are gathered before they are passed on, in milliseconds: smooth to the eye, cheap to send. */
const gatherMs = 40;

function createGatherer(dispatch: DispatchGrowth, clock: Clock) {
  // The pieces are joined only when they are passed on: a text added to a text a million times takes many times its length.
  const gathered: Record<'reasoning' | 'text', string[]> = { reasoning: [], text: [] };
  let model: string | undefined;
  let describedModel: string | undefined;
  let waiting = false;

  function flush(): void {
    for (const field of ['reasoning', 'text'] as const) {
      dispatch({ type: 'append', field, text: gathered[field].join('') });
      gathered[field] = [];
    }
    if (model !== describedModel) dispatch({ type: 'describe', facts: { model } });
    describedModel = model;
  }

  function flushSoon(): void {
    if (waiting) return;
    waiting = true;
    void clock.sleep(gatherMs, new AbortController().signal).then(() => {
      waiting = false;
      flush();
    });
  }

  return {
    flush,
    add(field: 'reasoning' | 'text', text: string): void {
      gathered[field].push(text);
      flushSoon();
    },
    /** Sets the model, which a service may name differently with every piece. */
    setModel(name: string): void {
      model = name;
      flushSoon();
    },
  };
}
