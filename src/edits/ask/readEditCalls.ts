import { isJsonObject, readNearlyJson } from '../../base/jsonText.ts';
import type { CalledChange } from './editTool.ts';
import type { UnclearBlock } from './furtherQuestion.ts';

/** A call as it came: its arguments need be no JSON. */
export interface EditCall {
  readonly name: string;
  readonly arguments: string;
}

/** What calls of the tool want changed. One that cannot be read keeps no other from being read. */
export interface ReadCalls {
  readonly changes: readonly CalledChange[];
  /** Each call, or change of one, that cannot be read, or is one too many: with the path as far as one can be seen, and its text as it was written. */
  readonly odd: readonly UnclearBlock[];
}

/** The most changes of one answer that are placed. */
const mostChanges = 500;
/** The longest path, in characters. */
const longestPath = 1_000;
/** The names that models give the members, ours first: they know tools of others. */
const names = {
  path: ['path', 'file_path', 'filePath', 'file', 'filename'],
  oldText: ['old_text', 'oldText', 'old_string', 'oldString', 'search'],
  newText: ['new_text', 'newText', 'new_string', 'newString', 'replace'],
  content: ['content', 'contents', 'file_text'],
  renamedTo: ['rename', 'rename_to', 'new_path'],
} as const;

/** Reads the calls of an answer, in their order. */
export function readEditCalls(calls: readonly EditCall[]): ReadCalls {
  const changes: CalledChange[] = [];
  const odd: UnclearBlock[] = [];
  for (const call of calls) {
    const value = readNearlyJson(call.arguments);
    const given = value === undefined ? undefined : changesIn(value);
    if (given === undefined) odd.push(oddCall(call.arguments, value));
    else
      for (const each of given) {
        const read = readChange(each);
        if (read.length === 0) odd.push(oddCall(JSON.stringify(each, undefined, 2) ?? '', each));
        else changes.push(...read);
      }
  }
  const tooMany = changes.slice(mostChanges).map((each) => oddCall(JSON.stringify(each, undefined, 2), each));
  return { changes: changes.slice(0, mostChanges), odd: [...odd, ...tooMany] };
}

/**
 * One change of an agent, or of a call, as the planner takes it; a file that is changed and renamed at once gives two. None where it
 * does not say what is wanted: text without its other half would delete lines, or add them anywhere.
 */
export function readChange(value: unknown): CalledChange[] {
  if (!isJsonObject(value)) return [];
  const path = textOf(value, 'path')?.trim() ?? '';
  if (path === '' || path.length > longestPath) return [];
  if (value['delete'] === true) return [{ path, isDeleted: true }];
  const [oldText, newText] = [textOf(value, 'oldText'), textOf(value, 'newText')];
  const content = textOf(value, 'content') ?? (oldText === undefined || oldText.trim() === '' ? newText : undefined);
  const renamedTo = textOf(value, 'renamedTo')?.trim() ?? '';
  const isReplacing = oldText !== undefined && oldText.trim() !== '';
  if (isReplacing && newText === undefined) return [];
  const written: CalledChange[] =
    isReplacing && newText !== undefined
      ? [{ path, oldText, newText }]
      : content !== undefined && (content !== '' || renamedTo === '')
        ? [{ path, content }]
        : [];
  const isRenamed = renamedTo !== '' && renamedTo !== path && renamedTo.length <= longestPath;
  return isRenamed ? [...written, { path, renamedTo }] : written;
}

function textOf(value: Readonly<Record<string, unknown>>, member: keyof typeof names): string | undefined {
  for (const name of names[member]) {
    const found = value[name];
    if (typeof found === 'string') return found;
    // Some models give lines as a list.
    if (Array.isArray(found) && found.every((line) => typeof line === 'string')) return found.join('\n');
  }
  return undefined;
}

/** The changes that arguments give: one, a list, or a list under a name. */
function changesIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const list = value['changes'] ?? value['edits'];
  if (!Array.isArray(list)) return [value];
  // A path beside the list is that of all in it.
  const path = textOf(value, 'path');
  return path === undefined ? list : list.map((each) => (isJsonObject(each) ? { path, ...each } : each));
}

function oddCall(text: string, value: unknown): UnclearBlock {
  const named = isJsonObject(value) ? textOf(value, 'path') : /"path"\s*:\s*"([^"\\]{1,1000})"/.exec(text)?.[1];
  return { path: named?.trim() || undefined, reason: 'broken', lines: text.split(/\r\n|\r|\n/) };
}
