/**
 * What the suite inside VS Code says of its tests as it goes, in a file that outlives it: a suite that is ended from outside
 * still tells which tests had passed, which failed and which never ran.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

type Event = 'planned' | 'passed' | 'failed';

/** What is known of a suite that has ended, whichever way. */
export interface SuiteResult {
  readonly planned: readonly string[];
  readonly passed: readonly string[];
  /** Tests that failed, were skipped, or whose set-up failed. */
  readonly failed: readonly string[];
  /** Planned, and neither passed nor failed. */
  readonly neverRan: readonly string[];
}

/** Says which tests the suite has. There may be none, where a text picks the tests. */
export function beginSuiteJournal(file: string, planned: readonly string[]): void {
  writeFileSync(file, '');
  for (const title of planned) writeSuiteEvent(file, 'planned', title);
}

/** Appends one event to the file; each is one line of JSON, on the disk before the next test begins. */
export function writeSuiteEvent(file: string, event: Event, title: string): void {
  appendFileSync(file, `${JSON.stringify([event, title])}\n`);
}

/** Reads what a suite said; undefined when it did not begin. A last line that is cut short is left out. */
export function readSuiteResult(file: string): SuiteResult | undefined {
  if (!existsSync(file)) return undefined;
  const titles: Record<Event, string[]> = { planned: [], passed: [], failed: [] };
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const event = parse(line);
    if (event !== undefined) titles[event[0]].push(event[1]);
  }
  const ended = [...titles.passed, ...titles.failed];
  const neverRan = titles.planned.filter((title) => {
    const at = ended.indexOf(title);
    if (at < 0) return true;
    // Two tests may have one title.
    ended.splice(at, 1);
    return false;
  });
  return { ...titles, neverRan };
}

function parse(line: string): [Event, string] | undefined {
  try {
    return JSON.parse(line) as [Event, string];
  } catch {
    return undefined;
  }
}
