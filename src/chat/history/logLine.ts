import { crc32 } from 'node:zlib';
import type { Action } from '../conversation/conversation.ts';
import { parseAction } from './actionSchema.ts';

/** An action as it stands in a conversation's file. */
export interface LogEntry {
  /** The window that wrote it. */
  readonly writer: string;
  readonly action: Action;
}

/**
 * A line of a conversation's file: a checksum and JSON. The line break comes first: what a killed process left half written is
 * ended by the line after it.
 */
export function logLine({ writer, action }: LogEntry): string {
  const json = JSON.stringify({ w: writer, ...action });
  return `\n${checksum(json)} ${json}`;
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/** What was read of a conversation's file. */
export interface LogPart {
  readonly entries: readonly LogEntry[];
  /** Lines that are no action of ours. */
  readonly corrupted: number;
  /** Bytes up to the end of the last whole line: where to go on reading when the file has grown. */
  readonly length: number;
}

/**
 * Reads lines. The last one may be half written, by a window that is at it now or by one that was killed: it is left for the next
 * reading, unless it is whole.
 * @param bytes of the file, from the beginning of a line on
 */
export function readLog(bytes: Buffer): LogPart {
  const entries: LogEntry[] = [];
  let corrupted = 0;
  let length = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const isLast = end < 0;
    const to = isLast ? bytes.length : end;
    const entry = to > from ? parseLine(bytes.toString('utf8', from, to)) : undefined;
    if (entry !== undefined) entries.push(entry);
    else if (to > from && !isLast) corrupted++;
    if (entry !== undefined || !isLast) length = to;
    from = to + 1;
  }
  return { entries, corrupted, length };
}

function parseLine(line: string): LogEntry | undefined {
  const json = line.slice(9);
  if (line[8] !== ' ' || line.slice(0, 8) !== checksum(json)) return undefined;
  try {
    const { w: writer, ...action } = JSON.parse(json) as Record<string, unknown>;
    const parsed = parseAction(action);
    return typeof writer === 'string' && parsed !== undefined ? { writer, action: parsed } : undefined;
  } catch {
    return undefined;
  }
}
