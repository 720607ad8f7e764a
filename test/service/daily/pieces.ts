import type { CodeBlock } from '../code.ts';

/** A piece of a file that goes along with a question, as Parley's chat writes it. */
export interface Piece extends CodeBlock {
  readonly path: string;
  /** Whether it is lines of the file, not all of it. */
  readonly isPart: boolean;
}

/** The pieces of files below a question, in order. */
export function findPieces(question: string): Piece[] {
  const found = question.matchAll(
    /^From ([^,\n]+), (the whole file|lines?)[^\n]*:\n\n?(`{3,})([^\s`]*)\n([\s\S]*?)\n\3$/gm,
  );
  return [...found].map(([, path = '', what, , language = '', code = '']) => {
    return { path, isPart: what !== 'the whole file', language, code };
  });
}

export const nameOf = (path: string): string => path.split('/').at(-1) ?? path;
