import { createHash } from 'node:crypto';

/**
 * Where an answer goes on: the number of hits that were given, and what was asked, so that a cursor of another question is told from one
 * of this. The server keeps nothing between two questions.
 */
export function cursorOf(asked: unknown, given: number): string {
  return Buffer.from(`${given}:${markOf(asked)}`).toString('base64url');
}

/** The hits that were given before; undefined for a cursor that is not of this question. */
export function readCursor(asked: unknown, cursor: string): number | undefined {
  const [, given, mark] = /^(\d{1,6}):([0-9a-f]{16})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  return given === undefined || mark !== markOf(asked) ? undefined : Number(given);
}

const markOf = (asked: unknown): string =>
  createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 16);
