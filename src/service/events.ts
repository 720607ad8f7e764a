/** Takes what a body turns out to hold. May throw, which ends the reading. */
export interface StreamSink {
  /** The data of one server event, and the event's name (empty when it has none). Never empty. */
  event(data: string, name: string): void;
  /** A whole JSON text outside any server event: one JSON body, or one line of NDJSON. */
  json(data: string): void;
  /** The service answered with a web page. */
  html(text: string): void;
  /** JSON that breaks off, or bytes that are none of the above. */
  broken(why: 'cut' | 'unreadable' | 'too-large'): void;
}

/** Reads the text of a body as it arrives. */
export interface StreamReader {
  feed(text: string): void;
  /** The body has ended. What still waits for its end is passed on. */
  end(): void;
}

/** One event or JSON text may not grow beyond this many characters. */
export const maxPieceLength = 16 * 1024 * 1024;
/** So much of a web page is read, to find its title. */
const maxPageLength = 64 * 1024;

/**
 * Reads a body without knowing its form beforehand: server events (whatever their line ends), NDJSON, one JSON text, or
 * a web page, told apart by the first character. All is passed on as soon as it is there.
 */
export function createStreamReader(sink: StreamSink): StreamReader {
  let form: 'unknown' | 'lines' | 'json' | 'text' = 'unknown';
  let start = '';
  const lines = createLineReader(sink);
  const whole = createGatherer(sink);

  function feed(text: string): void {
    if (form === 'lines') lines.feed(text);
    else if (form === 'unknown') begin(text);
    else gather(text);
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
    const newline = form === 'json' && whole.lines === 0 ? text.search(/[\r\n]/) : -1;
    if (newline >= 0) {
      whole.add(text.slice(0, newline));
      whole.lines = 1;
      // A first line that is JSON by itself begins NDJSON; it is passed on line by line.
      if (isWholeObject(whole.text())) form = 'lines';
      const first = form === 'lines' ? whole.take() : '';
      feed(first + text.slice(newline));
      return;
    }
    whole.add(text);
    if (form === 'text' && whole.length > maxPageLength) end();
  }

  function end(): void {
    if (form === 'lines') lines.end();
    const text = whole.take().trim();
    if (text === '') return;
    if (text.startsWith('<')) sink.html(text.slice(0, maxPageLength));
    else if (isJson(text)) sink.json(text);
    else sink.broken(isCut(text) ? 'cut' : 'unreadable');
  }

  return { feed, end };
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
    // Two whole texts in one event: the servers that part their events by a single line end.
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

/** Millions of short pieces would weigh many times what their text does: so many are joined at a time. */
const blockSize = 4096;

/** Gathers a text that comes in pieces; its length is bounded. */
function createGatherer(sink: StreamSink) {
  let pieces: string[] = [];
  /** How many of the pieces, from the first, have been joined. */
  let blocks = 0;
  const gatherer = {
    length: 0,
    /** For the caller to count. */
    lines: 0,
    add(text: string): void {
      gatherer.length += text.length;
      if (gatherer.length > maxPieceLength) sink.broken('too-large');
      pieces.push(text);
      if (pieces.length - blocks === blockSize) pieces.push(pieces.splice(blocks++).join(''));
    },
    text(): string {
      if (pieces.length > 1) {
        pieces = [pieces.join('')];
        blocks = 1;
      }
      return pieces[0] ?? '';
    },
    /** The text with `tail` added, and begins anew. */
    take(tail = ''): string {
      const text = gatherer.text() + tail;
      pieces = [];
      blocks = 0;
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
  return trimmed.startsWith('{') && trimmed.endsWith('}') && isJson(trimmed);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a text begins as JSON and ends with something still open. */
function isCut(text: string): boolean {
  if (!/^[{[]/.test(text)) return false;
  let open = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') inString = !inString;
    else if (inString && char === '\\') i++;
    else if (!inString && (char === '{' || char === '[')) open++;
    else if (!inString && (char === '}' || char === ']')) open--;
  }
  return inString || open > 0;
}
