import { isJson, isTooManifold } from '../../base/jsonText.ts';
import type { JsonBounds } from '../answers/jsonBuilder.ts';
import { createJsonReader } from '../answers/jsonReader.ts';

/** Takes the contents of a body. May throw, which ends the reading. */
export interface StreamSink {
  /** The data of one server event, and the event's name (empty when it has none). Never empty. */
  event(data: string, name: string): void;
  /** A line of NDJSON. */
  json(data: string): void;
  /** One JSON body, or the first line of NDJSON. */
  value(value: unknown): void;
  /** The service answered with a web page. */
  html(text: string): void;
  /** JSON that breaks off, or bytes that are none of the above. */
  broken(why: 'cut' | 'unreadable' | 'too-large'): void;
}

/** Reads the text of a body as it arrives. */
export interface StreamReader {
  feed(text: string): void;
  /** Ends the body, and passes on what still waited for its end. */
  end(): void;
}

/** The longest event, or line of JSON, in characters: an image in it has some millions. */
const maxPieceLength = 4 * 1024 * 1024;
/** Bounds of a JSON body: log-probabilities take much more than the text. */
const bodyBounds: JsonBounds = { text: 16 * 1024 * 1024, weight: 32 * 1024 * 1024, endlessAsNull: true };
/** Characters of a web page that are read, to find its title. */
const maxPageLength = 64 * 1024;

/**
 * Reads a body without knowing its form beforehand: server events (whatever their line ends), NDJSON, one JSON text, or
 * a web page, told apart by the first character. All is passed on as soon as it is there.
 */
export function createStreamReader(sink: StreamSink): StreamReader {
  let form: 'unknown' | 'lines' | 'json' | 'text' = 'unknown';
  let start = '';
  const lines = createLineReader(sink);
  const page = createGatherer(sink);
  const body = createBodyReader(sink, (rest) => {
    form = 'lines';
    lines.feed(rest);
  });

  function feed(text: string): void {
    if (form === 'lines') lines.feed(text);
    else if (form === 'json') body.feed(text);
    else if (form === 'text') gather(text);
    else begin(text);
  }

  function begin(text: string): void {
    start = (start + text).trimStart();
    const first = start[0];
    if (first === undefined) return;
    form = first === '{' || first === '[' ? 'json' : isFieldStart(first) ? 'lines' : 'text';
    feed(start);
    start = '';
  }

  function gather(text: string): void {
    page.add(text);
    if (page.length > maxPageLength) endPage();
  }

  function endPage(): void {
    const text = page.take().trim();
    if (text === '') return;
    if (text.startsWith('<')) sink.html(text.slice(0, maxPageLength));
    else if (isJson(text)) sink.json(text);
    else sink.broken('unreadable');
  }

  return {
    feed,
    end() {
      if (form === 'lines') lines.end();
      else if (form === 'json') body.end();
      else endPage();
    },
  };
}

/**
 * One JSON text, read while it arrives. An object on a line by itself begins NDJSON: it is passed on once there is more.
 * @param onLines takes what follows that line
 */
function createBodyReader(sink: StreamSink, onLines: (rest: string) => void): StreamReader {
  const reader = createJsonReader(bodyBounds);
  let isOneLine = true;
  return {
    feed(text) {
      const used = reader.feed(text);
      if (isOneLine && /[\r\n]/.test(text.slice(0, used))) isOneLine = false;
      if (reader.state === 'too-large') sink.broken('too-large');
      if (reader.state === 'broken') sink.broken('unreadable');
      if (reader.state !== 'whole') return;
      const rest = text.slice(used);
      const line = /^[^\S\r\n]*[\r\n]/.exec(rest);
      if (isOneLine && line !== null && !Array.isArray(reader.value)) {
        sink.value(reader.value);
        onLines(rest);
      } else if (rest.trim() !== '') sink.broken('unreadable');
    },
    end() {
      if (reader.state === 'whole') sink.value(reader.value);
      else sink.broken('cut');
    },
  };
}

/** Field names of server events are lower-case words; a colon begins a comment. */
function isFieldStart(first: string): boolean {
  return /[a-z:]/.test(first);
}

/**
 * Server events as the standard has them (WHATWG HTML, 9.2.6), with what servers do beside it: events parted by a single
 * line end, an `error:` field, a bare JSON line, a last event without its blank line.
 */
function createLineReader(sink: StreamSink): StreamReader {
  const rest = createGatherer(sink);
  const data = createGatherer(sink);
  let name = '';
  /** A carriage return ended the text before: a line feed that follows belongs to it. */
  let skipLineFeed = false;

  function feed(text: string): void {
    if (text === '') return;
    let from = skipLineFeed && text.charCodeAt(0) === 10 ? 1 : 0;
    skipLineFeed = false;
    let lf = text.indexOf('\n', from);
    let cr = text.indexOf('\r', from);
    while (lf >= 0 || cr >= 0) {
      const end = cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
      const head = text.slice(from, end);
      takeLine(rest.length === 0 ? head : rest.take(head));
      from = end + 1;
      if (end === cr) {
        if (from === text.length) skipLineFeed = true;
        else if (lf === from) from++;
        cr = text.indexOf('\r', from);
      }
      if (lf >= 0 && lf < from) lf = text.indexOf('\n', from);
    }
    if (from < text.length) rest.add(from === 0 ? text : text.slice(from));
  }

  function takeLine(line: string): void {
    if (line === '') dispatch();
    else if (line.startsWith('data:')) addData(line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5));
    else if (line.startsWith('{')) sink.json(line);
    else if (!line.startsWith(':')) takeField(line);
  }

  function takeField(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    // Old llama.cpp servers report a failure in a field of its own.
    else if (field === 'error' && value !== '') sink.event(value, 'error');
    else if (line.trim() === '[DONE]') sink.event(line, '');
  }

  function addData(value: string): void {
    // Two whole texts in one event come from servers that part their events by a single line end.
    if (data.lines === 1 && isWhole(data.text())) dispatch();
    if (data.lines > 0) data.add('\n');
    data.add(value);
    data.lines++;
  }

  function dispatch(): void {
    const event = name;
    name = '';
    if (data.lines === 0) return;
    const text = data.take();
    if (text !== '') sink.event(text, event);
  }

  return {
    feed,
    end() {
      if (rest.length > 0) takeLine(rest.take());
      dispatch();
    },
  };
}

/** Pieces that are joined at a time: millions of short ones would take many times the memory of their text. */
const blockSize = 4096;

/** Gathers a text that comes in pieces; its length is bounded. Most texts come whole, and cost no array. */
function createGatherer(sink: StreamSink) {
  let first = '';
  let pieces: string[] = [];
  /** How many of the pieces, from the first, have been joined. */
  let blocks = 0;
  const gatherer = {
    length: 0,
    /** Lines of the text; the caller counts them. */
    lines: 0,
    add(text: string): void {
      gatherer.length += text.length;
      if (gatherer.length > maxPieceLength) sink.broken('too-large');
      if (first === '' && pieces.length === 0) first = text;
      else {
        pieces.push(text);
        if (pieces.length - blocks === blockSize) pieces.push(pieces.splice(blocks++).join(''));
      }
    },
    text(): string {
      if (pieces.length > 0) {
        first += pieces.join('');
        pieces = [];
        blocks = 0;
      }
      return first;
    },
    /** Gives the text with `tail` added, and begins anew. */
    take(tail = ''): string {
      const text = gatherer.text() + tail;
      first = '';
      gatherer.length = 0;
      gatherer.lines = 0;
      return text;
    },
  };
  return gatherer;
}

function isWhole(text: string): boolean {
  return text.trim() === '[DONE]' || isWholeObject(text);
}

function isWholeObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}') && !isTooManifold(trimmed) && isJson(trimmed);
}
