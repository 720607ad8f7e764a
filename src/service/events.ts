import { createParser } from 'eventsource-parser';

/** What came out of a body that should be a stream of server events. */
export type StreamPiece =
  /** One server event; `data` may be empty (a heartbeat). */
  | { kind: 'event'; event: string | undefined; data: string }
  /** A whole JSON text, outside any server event: one JSON body, or one line of NDJSON. */
  | { kind: 'json'; data: string }
  /** The service answered with a web page. */
  | { kind: 'html'; text: string }
  /** Bytes that are none of the above. */
  | { kind: 'garbage'; text: string };

/** One event or JSON line may not grow beyond this many characters. */
const maxPieceLength = 16 * 1024 * 1024;

/**
 * Reads a body as it arrives. Server events come in all their forms (LF, CRLF, CR, byte order mark, comments, pings,
 * a last event without its blank line); a JSON body, NDJSON and HTML are recognised by their first character.
 */
export async function* readStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamPiece, void, undefined> {
  const decoder = new TextDecoder();
  let form: 'unknown' | 'events' | 'json' | 'text' = 'unknown';
  let pending = '';
  const ready: StreamPiece[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => ready.push({ kind: 'event', event, data }),
    // Old llama.cpp servers report a failure in a field line of its own: `error: {...}`.
    onError: (error) => {
      if (error.field === 'error' && error.value) ready.push({ kind: 'event', event: 'error', data: error.value });
    },
    maxBufferSize: maxPieceLength,
  });

  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    if (form === 'events') {
      parser.feed(text);
      yield* ready.splice(0);
      continue;
    }
    pending += text;
    if (form === 'unknown') {
      form = formOf(pending);
      if (form === 'events') {
        parser.feed(pending);
        pending = '';
        yield* ready.splice(0);
      }
    }
    if (pending.length > maxPieceLength) break;
  }
  pending += decoder.decode();
  if (form === 'events') {
    // A last event without its blank line is dispatched all the same: it often carries the usage.
    parser.feed('\n\n');
    yield* ready.splice(0);
  } else {
    yield* readWhole(pending);
  }
}

function formOf(text: string): 'unknown' | 'events' | 'json' | 'text' {
  const first = text.replace(/^\uFEFF/, '').trimStart()[0];
  if (first === undefined) return 'unknown';
  if (first === '{' || first === '[') return 'json';
  // Field names of server events are lower-case words; a colon begins a comment.
  return /[a-z:]/.test(first) ? 'events' : 'text';
}

function readWhole(text: string): StreamPiece[] {
  const whole = text.replace(/^\uFEFF/, '').trim();
  if (whole === '') return [];
  if (whole.startsWith('<')) return [{ kind: 'html', text: whole.slice(0, 64 * 1024) }];
  if (isJson(whole)) return [{ kind: 'json', data: whole }];
  const lines = whole.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const complete = lines.filter(isJson);
  if (complete.length > 0 && complete.length >= lines.length - 1)
    return complete.map((data) => ({ kind: 'json', data }));
  return [{ kind: 'garbage', text: whole.slice(0, 1000) }];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
