import { type Disposable, type Event, EventEmitter } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import type { LineEdit } from '../../place/lines/lineEdit.ts';
import { pendingHunks, type ReviewHunk } from '../../review/reviewedFile.ts';
import type { ProposedFile, ReviewedDocument } from './reviewedDocument.ts';
import { createReviewedDocuments } from './reviewedDocuments.ts';

/** What one answer proposes, for one file or several: a name over hunks of documents, which may have those of other sets beside them. */
export interface ChangeSet {
  readonly id: string;
  /** Names the set to the user: an instruction, or where it comes from. */
  readonly title: string;
  /** What the model was asked for; empty for code that was at hand. */
  readonly instruction: string;
  readonly documents: readonly ReviewedDocument[];
  /** Lines received so far; undefined once the answer is whole. */
  readonly received: number | undefined;
  report(received: number | undefined): void;
  /** Shows edits of the first file while the answer comes in, in the place of those so far: of the text that it was added with. */
  stream(edits: readonly LineEdit[]): void;
  /** Shows these files in the place of those so far, such as when the answer is whole. */
  show(files: readonly ProposedFile[]): void;
}

/** A set to be reviewed. */
export interface ProposedSet {
  readonly title: string;
  readonly instruction: string;
  readonly files: readonly ProposedFile[];
}

/** A set that was kept, with its files as they were reviewed: hunks of other sets are in them, too. */
export interface RestoredSet extends Omit<ProposedSet, 'files'> {
  readonly id: string;
  readonly files: readonly ProposedFile[];
}

/** How many pending changes of a set gave way to those of another. */
export interface ReplacedChanges {
  readonly title: string;
  readonly count: number;
}

/** The sets that wait for decisions, and the documents that they are about: one a file. */
export interface ChangeSets extends Disposable {
  readonly all: readonly ChangeSet[];
  /** Fires when a set comes or goes, or one of its hunks is another now. */
  readonly onDidChange: Event<void>;
  /** Fires when a set has taken the place of changes of others. */
  readonly onDidReplace: Event<readonly ReplacedChanges[]>;
  add(proposed: ProposedSet): ChangeSet;
  restore(sets: readonly RestoredSet[]): void;
  /**
   * Takes sets away as if they had not been shown, and restores others: the same as another window has them, too. One that is among both
   * stays the set that it is for whoever has it, such as a decision that is being made.
   */
  replace(gone: readonly ChangeSet[], sets: readonly RestoredSet[]): void;
  remove(set: ChangeSet): void;
  /** The document under review, by its address. */
  find(uri: string): ReviewedDocument | undefined;
  /** The set of a hunk. */
  setOf(hunk: ReviewHunk): ChangeSet | undefined;
}

interface OwnSet extends ChangeSet {
  documents: readonly ReviewedDocument[];
}

let count = 0;

/** The id of a set, which no other window on this machine gives. It begins with the time, so that ids are in the order of the sets. */
const newId = (): string => `${Date.now()}-${process.pid}${String(++count).padStart(4, '0')}`;

/** Whether a file in which something is kept of a set is named after its id. */
export const isSetFile = (name: string): boolean => /^\d+-\d+\.json$/.test(name);

export function createChangeSets(): ChangeSets {
  const owned = new Disposables();
  const didChange = owned.add(new EventEmitter<void>());
  const didReplace = owned.add(new EventEmitter<readonly ReplacedChanges[]>());
  let all: readonly OwnSet[] = [];
  const changed = (): void => didChange.fire();
  const titleOf = (id: string): string => all.find((set) => set.id === id)?.title ?? '';
  const documents = owned.add(createReviewedDocuments(titleOf, changed));

  /** Adds files to a set, and lets sets go that have nothing left after that: also this one, where all it does is undo others. */
  function fill(set: OwnSet, files: readonly ProposedFile[]): void {
    const found = files.map((file) => ({ file, document: documents.get(file, { ...file.review, hunks: [] }) }));
    set.documents = [...new Set(found.map(({ document }) => document))];
    const replaced = found.flatMap(({ file, document }) => document.add(set.id, file));
    const counts = new Map<string, number>();
    for (const hunk of replaced) counts.set(hunk.set, (counts.get(hunk.set) ?? 0) + 1);
    const told = [...counts].map(([id, number]) => ({ title: titleOf(id), count: number }));
    for (const other of all) if (counts.has(other.id) && other.received === undefined && isDecided(other)) drop(other);
    documents.release(isWanted);
    if (told.length > 0) didReplace.fire(told);
  }

  function drop(set: ChangeSet): void {
    all = all.filter((each) => each !== set);
    for (const document of set.documents) document.remove(set.id);
  }

  function create(id: string, { title, instruction, files }: ProposedSet): OwnSet {
    let lineCount: number | undefined;
    const base = files[0]?.review.lines ?? [];
    const set: OwnSet = {
      id,
      title,
      instruction,
      documents: [],
      get received() {
        return lineCount;
      },
      report(received) {
        lineCount = received;
        changed();
      },
      stream(edits) {
        set.documents[0]?.stream(id, { lines: base, edits });
      },
      show(files) {
        const before = set.documents;
        fill(set, files);
        for (const document of before) if (!set.documents.includes(document)) document.remove(id);
        changed();
      },
    };
    all = [...all, set];
    return set;
  }

  const isWanted = (document: ReviewedDocument): boolean => all.some((set) => set.documents.includes(document));

  function restore(sets: readonly RestoredSet[], before: readonly OwnSet[]): void {
    for (const restored of sets) {
      const set = before.find(({ id }) => id === restored.id) ?? create(restored.id, restored);
      if (!all.includes(set)) all = [...all, set];
      set.documents = restored.files.map((file) => documents.get(file, file.review));
    }
    changed();
  }

  return {
    get all() {
      return all;
    },
    onDidChange: didChange.event,
    onDidReplace: didReplace.event,
    add(proposed) {
      const set = create(newId(), proposed);
      fill(set, proposed.files);
      changed();
      return set;
    },
    restore: (sets) => restore(sets, []),
    replace(gone, sets) {
      const before = all.filter((set) => gone.some((each) => each === set));
      for (const set of before) drop(set);
      documents.release(isWanted);
      restore(sets, before);
    },
    remove(set) {
      if (!all.some((each) => each === set)) return;
      drop(set);
      documents.release(isWanted);
      changed();
    },
    find: documents.find,
    setOf: (hunk) => all.find(({ id }) => id === hunk.set),
    dispose: () => owned.dispose(),
  };
}

/** The pending hunks of a set in a document. */
export function pendingOf({ id }: ChangeSet, { file }: ReviewedDocument): ReviewHunk[] {
  return pendingHunks(file).filter(({ set }) => set === id);
}

export function isDecided(set: ChangeSet): boolean {
  return set.documents.every((document) => pendingOf(set, document).length === 0);
}
