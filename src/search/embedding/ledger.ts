import { appendFileSync, closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileMode, makeFolderSync } from '../../base/privateFiles.ts';

/**
 * Tokens spent, by day and origin, in a folder that all windows share: an append-only file for each day, one line for
 * each change. A line is appended whole, so windows that write at once lose nothing, and each sees what the others
 * spend.
 */
export interface Ledger {
  /** @param tokens a negative number takes some back */
  add(day: string, origin: string, tokens: number): void;
  spent(day: string, origin: string): number;
  /** Tokens of all days. */
  total(origin: string): number;
}

/** The part of a day's file read so far. */
interface Page {
  /** Bytes read. */
  end: number;
  sums: Map<string, number>;
}

const suffix = '.txt';

/** @param directory that all windows share; made with the first entry */
export function createLedger(directory: string): Ledger {
  const pages = new Map<string, Page>();
  const fileOf = (day: string): string => join(directory, day + suffix);

  function pageOf(day: string): Page {
    const page = pages.get(day) ?? { end: 0, sums: new Map() };
    pages.set(day, page);
    const news = readFrom(fileOf(day), page.end);
    // An incomplete last line is still being written and is read next time.
    const whole = news.subarray(0, news.lastIndexOf(0x0a) + 1);
    page.end += whole.length;
    for (const line of whole.toString().split('\n').filter(Boolean)) {
      const [tokens, origin = ''] = line.split(' ');
      count(page, origin, Number(tokens));
    }
    return page;
  }

  const spent = (day: string, origin: string): number => Math.max(0, pageOf(day).sums.get(origin) ?? 0);

  return {
    add(day, origin, tokens) {
      try {
        makeFolderSync(directory);
        appendFileSync(fileOf(day), `${tokens} ${origin}\n`, { mode: fileMode });
      } catch {
        // The disk cannot be written: this window at least keeps its own count.
        count(pageOf(day), origin, tokens);
      }
    },
    spent,
    total(origin) {
      const days = new Set([...daysIn(directory), ...pages.keys()]);
      return [...days].reduce((sum, day) => sum + spent(day, origin), 0);
    },
  };
}

function count({ sums }: Page, origin: string, tokens: number): void {
  if (Number.isFinite(tokens)) sums.set(origin, (sums.get(origin) ?? 0) + tokens);
}

/** The bytes of a file from `start` on; none where it cannot be read. */
function readFrom(file: string, start: number): Buffer {
  const parts: Buffer[] = [];
  try {
    const descriptor = openSync(file, 'r');
    try {
      const part = Buffer.alloc(64 * 1024);
      for (let at = start, read = -1; read !== 0; at += read) {
        read = readSync(descriptor, part, 0, part.length, at);
        parts.push(Buffer.from(part.subarray(0, read)));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A missing file means that nothing was spent that day.
  }
  return Buffer.concat(parts);
}

function daysIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length));
  } catch {
    return [];
  }
}
