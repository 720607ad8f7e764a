import type { FindingLines } from './placeFinding.ts';
import type { Severity } from './severity.ts';

/** A remark of a model on lines of a change. Lines are those of the new file, from 1. */
export interface ReviewFinding extends FindingLines {
  /** Path as the diff has it. */
  readonly path: string;
  readonly severity: Severity | undefined;
  /** The model's words, in one or several lines. */
  readonly text: string;
}

/** The most that is read: findings, the characters of each, those of a line, and those of an answer. */
export const mostRead = { findings: 200, text: 2_000, line: 500_000, answer: 1_000_000 } as const;
