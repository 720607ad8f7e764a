import { type Disposable, type Event, EventEmitter, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { renamed } from './renamed.ts';
import { type ProposedFile, pendingCount, type ReviewedDocument, reviewDocument } from './reviewedDocument.ts';

/** What one answer proposes, for one file or several. */
export interface ChangeSet extends Disposable {
  readonly id: string;
  /** Names the set to the user: an instruction, or where it comes from. */
  readonly title: string;
  /** What the model was asked for; empty for code that was at hand. */
  readonly instruction: string;
  readonly documents: readonly ReviewedDocument[];
  /** Lines received so far; undefined once the answer is whole. */
  readonly received: number | undefined;
  report(received: number | undefined): void;
  /** Shows these files in the place of those so far, such as when the answer is whole. */
  show(files: readonly ProposedFile[]): void;
}

/** A set to be reviewed. */
export interface ProposedSet {
  /** Of one that was kept; without it, it gets an id of its own. */
  readonly id?: string;
  readonly title: string;
  readonly instruction: string;
  readonly files: readonly ProposedFile[];
}

/** The sets that wait for decisions. A file is in one of them at most. */
export interface ChangeSets extends Disposable {
  readonly all: readonly ChangeSet[];
  /** Fires when a set comes or goes, or one of its hunks is another now. */
  readonly onDidChange: Event<void>;
  add(proposed: ProposedSet): ChangeSet;
  remove(set: ChangeSet): void;
  /** The document under review, by its address; the set it belongs to beside it. */
  find(uri: string): { readonly set: ChangeSet; readonly document: ReviewedDocument } | undefined;
}

let count = 0;

export function createChangeSets(): ChangeSets {
  const owned = new Disposables();
  const didChange = owned.add(new EventEmitter<void>());
  let all: readonly ChangeSet[] = [];
  const changed = (): void => didChange.fire();

  function documentsOf(files: readonly ProposedFile[], parts: Disposables): ReviewedDocument[] {
    return files.map((each) => {
      const document = parts.add(reviewDocument(each));
      parts.add(document.onDidChange(changed));
      return document;
    });
  }

  function add({ id = `${Date.now()}-${++count}`, title, instruction, files }: ProposedSet): ChangeSet {
    let parts = new Disposables();
    let documents = documentsOf(files, parts);
    let lineCount: number | undefined;
    const set: ChangeSet = {
      id,
      title,
      instruction,
      get documents() {
        return documents;
      },
      get received() {
        return lineCount;
      },
      report(received) {
        lineCount = received;
        changed();
      },
      show(next) {
        parts.dispose();
        parts = new Disposables();
        documents = documentsOf(next, parts);
        changed();
      },
      dispose: () => parts.dispose(),
    };
    all = [...all, set];
    changed();
    return set;
  }

  function remove(set: ChangeSet): void {
    if (!all.includes(set)) return;
    all = all.filter((each) => each !== set);
    set.dispose();
    changed();
  }

  owned.add(
    workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files)
        for (const document of all.flatMap((set) => set.documents))
          document.moveTo(renamed(document.uri, oldUri, newUri) ?? document.uri);
      changed();
    }),
  );

  return {
    get all() {
      return all;
    },
    onDidChange: didChange.event,
    add,
    remove,
    find(uri) {
      for (const set of all)
        for (const document of set.documents) if (document.uri.toString() === uri) return { set, document };
      return undefined;
    },
    dispose() {
      for (const set of all) set.dispose();
      owned.dispose();
    },
  };
}

export function isDecided(set: ChangeSet): boolean {
  return set.documents.every((document) => pendingCount(document) === 0);
}
