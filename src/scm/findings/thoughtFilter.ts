/** A line without a model's thoughts. */
export interface AnsweredLine {
  /** Undefined for a line of thoughts. */
  readonly text: string | undefined;
  /** Whether thoughts end here whose beginning was not marked: all lines before were thoughts, too. */
  readonly isAfterThoughts: boolean;
}

const opening = /^\s*<(think|thinking|thought|thoughts|reasoning|reflection)>/i;
/** Thoughts that end within one line. */
const mostInLine = 16;
const unopened = /<\/(?:think|thinking|reasoning)>/i;

/** Leaves out, line by line, the thoughts that a model writes before its answer. */
export function createThoughtFilter(): (line: string) => AnsweredLine {
  let state: 'before' | 'thinking' | 'answer' = 'before';
  let closing = unopened;
  /** Whether a tag stands within the answer, which is then about such tags. */
  let isAboutTags = false;

  return (line) => {
    let rest = line;
    let isAfterThoughts = false;
    for (let ends = 0; ends < mostInLine; ends++) {
      if (state === 'before') {
        if (rest.trim() === '') return { text: rest, isAfterThoughts };
        const name = opening.exec(rest)?.[1];
        state = name === undefined ? 'answer' : 'thinking';
        if (name !== undefined) closing = new RegExp(`</${name}>`, 'i');
      }
      const end = (state === 'thinking' ? closing : unopened).exec(rest);
      if (state === 'answer' && (end === null || isAboutTags || /<think/i.test(rest))) {
        isAboutTags ||= /<think/i.test(rest);
        return { text: rest, isAfterThoughts };
      }
      if (end === null) return { text: undefined, isAfterThoughts };
      isAfterThoughts = true;
      rest = rest.slice(end.index + end[0].length);
      state = 'before';
    }
    return { text: rest, isAfterThoughts };
  };
}
