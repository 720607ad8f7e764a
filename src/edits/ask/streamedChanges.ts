import { splitLines } from '../../base/lines.ts';
import { haveOverlap, type LineEdit } from '../place/lines/lineEdit.ts';
import type { CalledChange } from './editTool.ts';

type Replacement = Extract<CalledChange, { readonly oldText: string }>;

/**
 * What can be shown of changes while their answer still comes in: those that replace lines which stand in the document only once. Only the
 * whole answer tells what is proposed.
 */
export function streamedChanges(changes: readonly CalledChange[], path: string, lines: readonly string[]): LineEdit[] {
  const edits: LineEdit[] = [];
  for (const change of changes) {
    if (!('oldText' in change) || !isOf(change, path)) continue;
    const old = splitLines(change.oldText.replace(/\r?\n$/, ''));
    const line = onlyPlace(lines, old);
    const inserted = change.newText === '' ? [] : splitLines(change.newText.replace(/\r?\n$/, ''));
    const edit = { line: line ?? 0, removed: old.length, inserted };
    if (line !== undefined && !haveOverlap([...edits, edit])) edits.push(edit);
  }
  return edits;
}

/** The SEARCH/REPLACE blocks of an answer that are whole, as far as it is there. */
export function wholeBlocks(text: string): Replacement[] {
  const found: Replacement[] = [];
  let [path, part]: [string, 'none' | 'old' | 'new'] = ['', 'none'];
  let [old, next]: [string[], string[]] = [[], []];
  for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
    if (part === 'none' && /^<{5,9} ?SEARCH/.test(line)) [part, old, next] = ['old', [], []];
    else if (part === 'old' && /^={5,9}\s*$/.test(line)) part = 'new';
    else if (part === 'new' && /^>{5,9} ?REPLACE/.test(line)) {
      found.push({ path, oldText: old.join('\n'), newText: next.join('\n') });
      part = 'none';
    } else if (part === 'old') old.push(line);
    else if (part === 'new') next.push(line);
    else if (line.trim() !== '' && !line.startsWith('```')) path = line.trim().replace(/^[`*]+|[`*:]+$/g, '');
  }
  return found;
}

/** Whether a change is one of the document: without a path, it is. */
function isOf({ path }: Replacement, own: string): boolean {
  return path === '' || path === own || own.endsWith(`/${path}`) || path.endsWith(`/${own}`);
}

function onlyPlace(lines: readonly string[], old: readonly string[]): number | undefined {
  const [first] = old;
  if (first === undefined || old.every((line) => line.trim() === '')) return undefined;
  const places: number[] = [];
  for (let at = lines.indexOf(first); at >= 0 && places.length < 2; at = lines.indexOf(first, at + 1))
    if (old.every((line, index) => lines[at + index] === line)) places.push(at);
  return places.length === 1 ? places[0] : undefined;
}
