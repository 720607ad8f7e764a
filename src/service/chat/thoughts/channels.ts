/** Marks of gpt-oss's form of answers ("harmony"), as its documentation has them: `<|channel|>final<|message|>…<|return|>`. */
const mark = /<\|(start|channel|message|constrain|end|return|call)\|>/;
const partOfMark = /<(?:\|[a-z]{0,9}\|?)?$/;
/** The longest head of a message, in characters: its role, channel, receiver and format. */
const longestHead = 200;

/** Takes what an answer in channels holds. */
export interface ChannelListener {
  onText(text: string): void;
  onThought(text: string): void;
  /** Takes a piece of a call's arguments. @param call the place of the call among those of the answer @param name with its first piece */
  onCall(call: number, name: string, text: string): void;
}

/** Reads an answer in channels, while it comes. */
export interface ChannelReader {
  take(text: string): void;
  end(): void;
}

/**
 * `analysis` holds thoughts, `final` the answer, and `commentary` what is said before a call; a message to somebody is a call.
 * Servers leave out some of the marks.
 */
export function createChannelReader({ onText, onThought, onCall }: ChannelListener): ChannelReader {
  let held = '';
  let head = '';
  let isBody = false;
  let callCount = 0;
  let isCallBegun = false;

  function pass(text: string): void {
    if (text === '') return;
    if (isBody) {
      passBody(text);
      return;
    }
    head += text;
    // Text where a head should be: its marks were left out.
    if (head.length > longestHead) passHead();
  }

  function passHead(): void {
    const text = head;
    head = 'final';
    isBody = true;
    passBody(text);
  }

  function passBody(text: string): void {
    const receiver = /\bto=(?:functions\.)?([\w.-]{1,64})/.exec(head)?.[1];
    if (receiver !== undefined) {
      onCall(callCount, isCallBegun ? '' : receiver, text);
      isCallBegun = true;
    } else if (/analysis/i.test(head)) onThought(text);
    else onText(text);
  }

  function read(name: string | undefined): void {
    if (name === 'constrain' || (name === 'channel' && !isBody)) return;
    if (name === 'message') {
      isBody = true;
      return;
    }
    if (isCallBegun) callCount += 1;
    isCallBegun = false;
    isBody = false;
    head = '';
  }

  return {
    take(text) {
      held += text;
      for (let found = mark.exec(held); found !== null; found = mark.exec(held)) {
        pass(held.slice(0, found.index));
        read(found[1]);
        held = held.slice(found.index + found[0].length);
      }
      const kept = partOfMark.exec(held)?.index ?? held.length;
      pass(held.slice(0, kept));
      held = held.slice(kept);
    },
    end() {
      pass(held);
      held = '';
      if (!isBody && head.trim() !== '' && !/^\s*(?:assistant|analysis|commentary|final)/i.test(head)) passHead();
    },
  };
}
