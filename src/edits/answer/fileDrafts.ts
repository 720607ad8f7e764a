import type { LineRange } from '../../base/lines.ts';
import type { SyntaxReader } from '../../syntax/readSyntax.ts';
import { diffHunks } from '../diff.ts';
import { breaksFile } from '../place/breaksFile.ts';
import { joinInsertions } from '../place/insertDeclaration.ts';
import { applyLineEdits, editsOf, haveOverlap, type LineEdit, type NamedEdit } from '../place/lines/lineEdit.ts';
import { isTelling, lineIndexOf, normalised } from '../place/lines/lineText.ts';
import type { Misplaced } from '../place/misplaced.ts';
import { isQuoted } from './codeText.ts';
import { cleanPath } from './reading/namedPath.ts';
import { type BlockText, type FileEdit, type Resolution, reasonOf, type Unplaced } from './resolution.ts';

/** Finds the edits of one block in a file as it is when the block's turn comes. */
export type PlaceBlock = (file: readonly string[]) => readonly NamedEdit[] | Misplaced | 'empty';

/** A file with what the blocks of an answer make of it, one after the other. */
interface Draft {
  readonly original: readonly string[];
  readonly isNew: boolean;
  /** Of the original; none any more once a block builds on an earlier one. */
  edits: readonly NamedEdit[];
  /** The text that the blocks so far have left, where that is known. */
  working: readonly string[] | undefined;
  isDeleted: boolean;
  renamedTo: string | undefined;
  /** The blocks that have a place. */
  readonly blocks: BlockText[];
}

/** All files of an answer. */
export interface FileDrafts {
  has(path: string): boolean;
  /** @param block by whose text it is told where it has no place */
  place(path: string, block: BlockText, place: PlaceBlock): void;
  create(path: string, lines: readonly string[]): void;
  remove(path: string): void;
  rename(path: string, to: string): void;
  /** A block that belongs to no file. */
  lose(path: string | undefined, reason: Unplaced['reason'], block: BlockText): void;
  /** @param isFinal whether a file that would be broken is proposed all the same */
  resolution(isFinal: boolean): Resolution;
}

export function createDrafts(files: ReadonlyMap<string, readonly string[]>, syntax: SyntaxReader): FileDrafts {
  const drafts = new Map<string, Draft>();
  const unplaced: Unplaced[] = [];

  const renamed = new Map<string, string>();

  function open(named: string): Draft {
    const path = renamed.get(named) ?? named;
    const known = drafts.get(path);
    if (known !== undefined) return known;
    const original = files.get(path);
    const draft: Draft = {
      original: original ?? [],
      isNew: original === undefined,
      edits: [],
      working: undefined,
      isDeleted: false,
      renamedTo: undefined,
      blocks: [],
    };
    drafts.set(path, draft);
    return draft;
  }

  function place(path: string, block: BlockText, placeBlock: PlaceBlock): void {
    const draft = open(path);
    const first = draft.working === undefined ? placeBlock(draft.original) : 'unplaced';
    if (typeof first !== 'string' && add(draft, first)) return void draft.blocks.push(block);
    const working = textOf(draft);
    const again = working === draft.original ? first : placeBlock(working);
    if (typeof again !== 'string' && !(typeof first !== 'string' && again.length === 0)) {
      draft.working = applyLineEdits(working, joinInsertions(again));
      draft.blocks.push(block);
      return;
    }
    const reason =
      typeof first === 'string' && first !== 'unplaced' ? first : typeof again === 'string' ? again : 'ambiguous';
    const own = reason === 'empty' ? reason : reasonOf(reason);
    unplaced.push({
      path: renamed.get(path) ?? path,
      reason: own,
      ...block,
      near: nearestLines(draft.original, block.lines),
    });
  }

  function lose(path: string | undefined, reason: Unplaced['reason'], block: BlockText): void {
    unplaced.push({ path, reason, ...block });
  }

  return {
    has: (path) => drafts.has(path) || renamed.has(path),
    place,
    lose,
    create(path, lines) {
      const known = drafts.get(path);
      if (known !== undefined && !(known.working !== undefined && isQuoted(lines, known.working)))
        return lose(path, 'ambiguous', { lines });
      Object.assign(open(path), { working: lines });
    },
    remove: (path) => void Object.assign(open(path), { isDeleted: true }),
    rename(path, to) {
      const renamedTo = cleanPath(to);
      Object.assign(open(path), { renamedTo });
      renamed.set(renamedTo, path);
    },
    resolution(isFinal) {
      const changed = [...drafts].flatMap(([path, draft]) => {
        if (
          !isFinal &&
          !draft.isNew &&
          !draft.isDeleted &&
          breaksFile(changesOf(draft), { file: draft.original, path, syntax })
        ) {
          unplaced.push(
            ...draft.blocks.map((block) => ({
              path,
              reason: 'broken' as const,
              ...block,
              near: nearestLines(draft.original, block.lines),
            })),
          );
          return [];
        }
        return toFileEdit(path, draft);
      });
      if (changed.length === 0 && unplaced.length === 0) return { kind: 'nothing' };
      return { kind: 'edits', files: changed, unplaced };
    },
  };
}

/** Adds edits of the original where none of them meets one that is there. */
function add(draft: Draft, edits: readonly NamedEdit[]): boolean {
  const all = [...draft.edits, ...edits];
  if (haveOverlap(all)) return false;
  draft.edits = all;
  return true;
}

function textOf({ original, edits, working }: Draft): readonly string[] {
  return working ?? (edits.length === 0 ? original : applyLineEdits(original, edits));
}

function changesOf({ original, edits, working }: Draft): readonly LineEdit[] {
  return working === undefined ? edits : editsOf(diffHunks(original, working));
}

function toFileEdit(path: string, draft: Draft): FileEdit[] {
  const { original, isNew, isDeleted, renamedTo, working } = draft;
  if (isNew) return [{ path, isNew, edits: [{ line: 0, removed: 0, inserted: working ?? [] }] }];
  if (isDeleted) return [{ path, isNew, isDeleted, edits: [] }];
  const edits = changesOf(draft).filter(({ line, removed, inserted }) => {
    const old = original.slice(line, line + removed);
    return old.length !== inserted.length || old.some((each, at) => each !== inserted[at]);
  });
  if (edits.length === 0 && renamedTo === undefined) return [];
  return [{ path, isNew, edits, ...(renamedTo === undefined ? {} : { renamedTo }) }];
}

/** The most places of a line that are looked at. */
const mostPlaces = 20;

/** The lines of a file that most lines of a block are about, as far as any of them stands there. */
function nearestLines(file: readonly string[], lines: readonly string[]): LineRange | undefined {
  const { placesOf, lines: rows } = lineIndexOf(file);
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const places = isTelling(line) ? placesOf(normalised(line)) : [];
    for (const place of places.slice(0, mostPlaces)) {
      const start = (rows[place] ?? 0) - at;
      votes.set(start, (votes.get(start) ?? 0) + 1 / places.length);
    }
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  if (best === undefined || file.length === 0) return undefined;
  const first = Math.max(0, Math.min(best[0], file.length - 1));
  return { first, last: Math.max(first, Math.min(file.length - 1, best[0] + lines.length - 1)) };
}
