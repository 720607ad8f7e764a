import fc from 'fast-check';

/** A stream that a sound service could send, as bytes, and what a client must read out of it. */
export interface ValidStream {
  bytes: Uint8Array;
  /** Where in `bytes` the first event with a finish_reason begins: cut before it, the answer is not whole. */
  unfinished: number;
  expected: {
    /** Text and reasoning by choice. */
    texts: Record<number, string>;
    reasoning: Record<number, string>;
    /** Tool calls by choice, in the order they began. */
    calls: Record<number, { id: string; name: string; arguments: string }[]>;
    finishes: Record<number, string>;
    usage: { promptTokens: number; completionTokens: number } | undefined;
  };
}

/** Characters that are cut, escaped or mistaken easily; halves of a surrogate pair come as JSON escapes. */
const units = ['a', ' ', '\n', '\r\n', '"', '\\', 'é', '漢', '👩‍💻', '\ud83d', '\ude00', '\u2028', '\0', '\ufeff'];
const words = fc.string({ unit: fc.constantFrom(...units, 'data: ', '[DONE]', ':', '{"'), maxLength: 5 });

const callArguments = ['{}', '{"a":{"a":1}}', '{"path":"src/é/漢.ts","lines":[1,2]}', '{"text":"a \\"b\\" \\n"}'];
const lineEnds = ['\n', '\r\n', '\r'];
const noises = ['', ': ping', 'event: ping', 'event: ping\ndata', 'data:', 'data: ', 'id: 7', 'retry: 100', ':\n:'];
const noiseKinds = noises.length;

/** What one step of the stream does, as numbers, so that it shrinks to something small. */
const step = fc.tuple(
  /** Under 4: text, reasoning, tool call, text; otherwise noise. */
  fc.nat(7),
  /** Choice. */
  fc.nat(2),
  /** Tool call of the choice; noise. */
  fc.nat(noiseKinds - 1),
  words,
  /** How the event is written. */
  fc.nat(11),
);

const shape = fc.record({
  form: fc.constantFrom('events', 'events', 'events', 'lines'),
  steps: fc.array(step, { maxLength: 12 }),
  mark: fc.boolean(),
  usage: fc.constantFrom('none', 'own', 'groq', 'no choices'),
  done: fc.constantFrom('', '[DONE]', '[DONE] '),
  /** Whether the last event ends with its blank line. */
  closed: fc.boolean(),
});

export const validStream: fc.Arbitrary<ValidStream> = shape.map((plan) => {
  const expected: ValidStream['expected'] = { texts: {}, reasoning: {}, calls: {}, finishes: {}, usage: undefined };
  const writer = createWriter(plan.form === 'lines', plan.mark);
  const calls = createCalls(expected.calls, writer);
  for (const [kind, choice, detail, text, form] of plan.steps) {
    if (kind > 3) writer.noise(detail, form);
    else if (kind === 2) calls.advance(choice, detail % 3, text.length, form);
    else {
      const channel = kind === 1 ? expected.reasoning : expected.texts;
      channel[choice] = (channel[choice] ?? '') + text;
      writer.delta(choice, kind === 1 ? { reasoning_content: text } : { content: text }, form);
    }
  }
  calls.complete();
  const unfinished = writer.length();
  finish(plan, expected, writer);
  return { bytes: writer.bytes(plan.closed), unfinished, expected };
});

/** Every choice that said something ends with its reason; usage and `[DONE]` follow, where the plan has them. */
function finish(plan: { usage: string; done: string }, expected: ValidStream['expected'], writer: Writer): void {
  const { texts, reasoning, calls, finishes } = expected;
  const choices = new Set([0, ...[texts, reasoning, calls].flatMap((each) => Object.keys(each).map(Number))]);
  for (const choice of [...choices].sort()) {
    const reason = calls[choice] === undefined ? 'stop' : 'tool_calls';
    finishes[choice] = reason;
    writer.payload({ choices: [{ index: choice, delta: {}, finish_reason: reason }] }, 0);
  }
  const usage = { prompt_tokens: 5, completion_tokens: 7 };
  if (plan.usage === 'own') writer.payload({ choices: [], usage }, 0);
  if (plan.usage === 'groq') writer.payload({ choices: [], x_groq: { usage } }, 0);
  if (plan.usage === 'no choices') writer.payload({ usage }, 0);
  if (plan.usage !== 'none') expected.usage = { promptTokens: 5, completionTokens: 7 };
  if (plan.done !== '') writer.done(plan.done);
}

interface Writer {
  payload(value: object, form: number): void;
  delta(choice: number, delta: object, form: number): void;
  noise(kind: number, form: number): void;
  done(text: string): void;
  /** Bytes so far. */
  length(): number;
  bytes(closed: boolean): Uint8Array;
}

/** Writes server events, each with line ends of its own, or lines of JSON, which have no room for noise. */
function createWriter(asLines: boolean, withMark: boolean): Writer {
  let text = withMark ? '\ufeff' : '';
  let last = '';
  const write = (lines: string[], form: number) => {
    const end = lineEnds[form % 3] ?? '\n';
    text += last + lines.join(end) + end;
    last = end;
  };
  const data = (json: string, form: number) =>
    json.split('\n').map((line) => (form % 2 === 0 ? `data: ${line}` : `data:${line}`));
  const writer: Writer = {
    payload(value, form) {
      if (asLines) text += `${JSON.stringify(value)}\n`;
      // Written with indents, one JSON text takes several data lines. One without a space may not begin with one.
      else write(data(JSON.stringify(value, null, form > 8 && form % 2 === 0 ? 1 : 0), form), form);
    },
    delta: (choice, delta, form) =>
      writer.payload({ id: 'c', model: 'm', choices: [{ index: choice, delta, finish_reason: null }] }, form),
    noise(kind, form) {
      const noise = noises[kind] ?? '';
      if (!asLines) write(noise.split('\n'), form);
    },
    done: (sentinel) => {
      if (!asLines) write([`data: ${sentinel}`], 0);
    },
    length: () => Buffer.byteLength(text),
    bytes: (closed) => Buffer.from(closed && !asLines ? text + last : text),
  };
  return writer;
}

/** Tool calls whose arguments come in pieces, interleaved as the steps will it. */
function createCalls(expected: ValidStream['expected']['calls'], writer: Writer) {
  const open = new Map<string, { choice: number; index: number; at: number; arguments: string }>();
  const send = (key: string, length: number, form: number) => {
    const call = open.get(key);
    if (call === undefined) return;
    const piece = call.arguments.slice(call.at, call.at + length);
    call.at += length;
    if (piece !== '')
      writer.delta(call.choice, { tool_calls: [{ index: call.index, function: { arguments: piece } }] }, form);
  };
  const begin = (key: string, choice: number, place: number, form: number) => {
    const own = expected[choice] ?? [];
    expected[choice] = own;
    const whole = callArguments[(place + form) % callArguments.length] ?? '{}';
    const call = { id: `call_${choice}_${place}`, name: 'read_file', arguments: whole };
    open.set(key, { choice, index: own.length, at: 0, arguments: whole });
    const head = { id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    writer.delta(choice, { tool_calls: [{ index: own.length, ...head }] }, form);
    own.push(call);
  };
  return {
    advance(choice: number, place: number, length: number, form: number): void {
      const key = `${choice} ${place}`;
      if (open.has(key)) send(key, length, form);
      else begin(key, choice, place, form);
    },
    complete(): void {
      for (const key of open.keys()) send(key, Number.MAX_SAFE_INTEGER, 0);
    },
  };
}
