import { fenced } from '../../base/codeFence.ts';
import type { LineRange } from '../../base/lines.ts';
import { estimateTokens } from '../../base/tokens.ts';
import type { TextMessage } from '../../service/chat/chatRequest.ts';
import type { EditForm } from './editForm.ts';
import { nearestLines } from './nearestLines.ts';
import { blocksForm, toolForm } from './prompt.ts';

/** A block of an answer that has no sure place, as the planner tells of it. */
export interface UnclearBlock {
  readonly path: string | undefined;
  readonly reason: 'not-found' | 'ambiguous' | 'unknown-file' | 'empty' | 'broken' | 'left-out';
  /** Its code, as the answer has it; of a block that says what it looks for, that. */
  readonly lines: readonly string[];
  /** What a block that says what it looks for puts in its place. */
  readonly fresh?: readonly string[] | undefined;
  /** The lines of the file that come nearest. */
  readonly near?: LineRange | undefined;
}

/** Blocks of an answer whose place is not sure, and the files as what has a place leaves them. */
export interface FurtherQuestion {
  readonly blocks: readonly UnclearBlock[];
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** What was asked for at first; empty where nobody knows. */
  readonly instruction: string;
  readonly form: Exclude<EditForm, 'whole'>;
}

/** The most blocks that are asked for again, and the longest of them, in characters. */
const [mostAsked, longestBlock] = [10, 8_000];
/** Lines of the file above and below those in question, and the most that are shown for one block. */
const [linesAround, mostShown] = [8, 80];
/** The longest line of a file that is shown whole, in characters. */
const longestLine = 400;
/** The longest instruction that is sent along, in characters. */
const longestInstruction = 2_000;

/** The blocks that can be asked for again: so many, and none that is very long. */
export function askable(unplaced: readonly UnclearBlock[]): UnclearBlock[] {
  return unplaced.filter((block) => lengthOf(textOf(block)) <= longestBlock).slice(0, mostAsked);
}

/** The messages that ask for blocks again: each with the reason, and the lines of the file that it may be about. */
export function askAgainMessages({ blocks, files, instruction, form }: FurtherQuestion): TextMessage[] {
  const asked = instruction.replace(/\s+/g, ' ').trim().slice(0, longestInstruction);
  const parts = blocks.map((block, at) => describe(block, at + 1, files));
  const system = [
    'Some of the changes that you proposed have no sure place in their files.',
    'Give each of them again, so that its place is sure, and nothing else. Leave out one that is not needed.',
    form === 'tool' ? toolForm : blocksForm,
  ].join(' ');
  return [
    { role: 'system', content: system },
    { role: 'user', content: [...(asked === '' ? [] : [`What was asked for: ${asked}`]), ...parts].join('\n\n') },
  ];
}

/** Roughly how many tokens a question takes, with its answer, which has the blocks again. */
export function furtherTokens(question: FurtherQuestion): number {
  const asked = askAgainMessages(question).reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return asked + estimateTokens(question.blocks.flatMap(textOf).join('\n'));
}

function describe(block: UnclearBlock, number: number, files: FurtherQuestion['files']): string {
  const { path, reason } = block;
  const file = path === undefined ? undefined : files.get(path);
  const shown = file === undefined ? undefined : shownLines(file, block);
  const parts = [`${number}. ${path ?? 'A file that is not named'}: ${reasons[reason]}`];
  if (file === undefined) parts.push(`The files are: ${[...files.keys()].slice(0, mostAsked).join(', ') || 'none'}.`);
  if (file !== undefined && shown !== undefined) {
    const text = file.slice(shown.first, shown.last + 1).map((line) => line.slice(0, longestLine));
    parts.push(
      `The nearest lines of the file are ${shown.first + 1} to ${shown.last + 1}:`,
      fenced(text.join('\n'), ''),
    );
  }
  return [...parts, ...describeChange(block)].join('\n');
}

/** What a block wanted, in both of its halves where it has two: without the new one nobody could give the change again. */
function describeChange({ lines, fresh }: UnclearBlock): string[] {
  const part = (words: string, text: readonly string[]): string[] => [words, fenced(text.join('\n'), '')];
  if (lines.length === 0) return fresh === undefined || fresh.length === 0 ? [] : part('The change was to add:', fresh);
  if (fresh === undefined) return part('The change was:', lines);
  if (fresh.length === 0) return part('The change was to delete:', lines);
  return [...part('The change was to replace:', lines), ...part('with:', fresh)];
}

function textOf({ lines, fresh = [] }: UnclearBlock): readonly string[] {
  return [...lines, ...fresh];
}

const reasons: Readonly<Record<UnclearBlock['reason'], string>> = {
  'not-found': 'what it replaces is not in the file as it is quoted.',
  ambiguous: 'it fits more than one place.',
  'unknown-file': 'there is no such file.',
  empty: 'it has no code.',
  broken: 'it cannot be read, or the file would be broken by it.',
  'left-out': 'it leaves out lines that nobody asked to delete, or it is not sure which.',
};

/** What is shown of a file: the lines in question, and some around them; all of a short one where nothing is near. */
function shownLines(file: readonly string[], { near, lines }: UnclearBlock): LineRange | undefined {
  const found = near ?? nearestLines(file, lines) ?? { first: 0, last: 0 };
  const first = Math.max(0, Math.min(found.first, file.length - 1) - linesAround);
  const last = Math.min(file.length - 1, found.last + linesAround, first + mostShown - 1);
  return last < first ? undefined : { first, last };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
