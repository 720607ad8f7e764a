import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type Tab,
  TabInputText,
  type TextDocument,
  Uri,
  workspace,
} from 'vscode';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { window } from '../../../editor/text/window.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ConfigurationChange } from '../../parameters/configuration.ts';

const scheme = 'parley-conversation';

/** The conversations as this needs them. */
export interface Conversations {
  read(id: string): Promise<Conversation | undefined>;
  configure(id: string, change: ConfigurationChange): Promise<void>;
}

/** A part of what a conversation has of its own, as a document. */
export interface DocumentKind {
  /** The title of its tab, with the ending. */
  readonly fileName: string;
  text(conversation: Conversation): string;
  /** The names of what is in it (`Configured`). */
  isIn(name: string): boolean;
  /** The change that a text makes. @throws FileSystemError with a sentence for what cannot be */
  change(text: string, conversation: Conversation): ConfigurationChange;
  /** Whether what is typed counts at once, where it can be; else it does once it is saved. */
  readonly countsAtOnce: boolean;
}

/** What conversations have of their own as documents of the editor: what is saved is taken over. */
export interface ConversationDocuments extends Disposable {
  open(kind: DocumentKind, id: string): Promise<void>;
  /** Tells VS Code that what a conversation has may be something else. */
  changed(id: string): void;
  /** Closes the tabs of conversations that are not there any more, but for those with what is not saved. */
  closeGone(): Promise<void>;
}

/**
 * @param requestSchema what VS Code checks a request by, in the user's language
 *
 * After a reload, the activation event `onFileSystem:parley-conversation` has Parley activated for a tab that VS Code restores.
 */
export function createConversationDocuments(
  kinds: readonly DocumentKind[],
  conversations: Conversations,
  requestSchema: () => string,
): ConversationDocuments {
  const owned = new Disposables();
  const changes = owned.add(new EventEmitter<FileChangeEvent[]>());
  const typed = createTypedTimes();

  /** @throws FileNotFound for what is no document of a conversation that is there */
  async function read(uri: Uri): Promise<{ kind: DocumentKind; conversation: Conversation }> {
    const found = placeOf(uri, kinds);
    const conversation = found && (await conversations.read(found.id));
    if (found === undefined || conversation === undefined) throw FileSystemError.FileNotFound(uri);
    return { kind: found.kind, conversation };
  }

  const provider: FileSystemProvider = {
    onDidChangeFile: changes.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri): Promise<FileStat> {
      if (isSchema(uri)) return { type: FileType.File, ctime: 0, mtime: 0, size: requestSchema().length };
      const { kind, conversation } = await read(uri);
      const { createdAt } = conversation;
      const size = new TextEncoder().encode(kind.text(conversation)).length;
      const mtime = typed.fileTime(uri, timeOf(kind, conversation));
      return { type: FileType.File, ctime: createdAt, mtime, size };
    },
    async readFile(uri) {
      if (isSchema(uri)) return new TextEncoder().encode(requestSchema());
      const { kind, conversation } = await read(uri);
      return new TextEncoder().encode(kind.text(conversation));
    },
    async writeFile(uri, bytes) {
      const { kind, conversation } = await read(uri);
      const change = kind.change(new TextDecoder().decode(bytes), conversation);
      await conversations.configure(conversation.id, change);
      typed.forget(uri);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  owned.add(workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true }));

  /** Takes over what is typed, where it can be read. What cannot is said when it is saved. */
  async function takeTyped(document: TextDocument): Promise<void> {
    const { uri } = document;
    for (let tries = 0; tries < mostTries && document.isDirty; tries++) {
      const { kind, conversation } = await read(uri);
      const change = kind.countsAtOnce ? changeOf(kind, document, conversation) : {};
      if (Object.keys(change).length === 0) return;
      typed.begin(uri, timeOf(kind, conversation));
      await conversations.configure(conversation.id, change);
      const after = await conversations.read(conversation.id);
      if (after !== undefined) typed.end(uri, timeOf(kind, after));
    }
  }
  const queue = createTaskQueue();
  owned.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === scheme) void queue(() => takeTyped(document)).catch(() => undefined);
    }),
  );

  async function closeIfGone(tab: Tab): Promise<void> {
    if (!(tab.input instanceof TabInputText) || tab.isDirty) return;
    const { uri } = tab.input;
    if (uri.scheme !== scheme || isSchema(uri)) return;
    // It may be closed by now, by the user.
    await read(uri).catch(() => window.tabGroups.close(tab).then(undefined, () => undefined));
  }
  // VS Code restores such a tab as an error: of a conversation that was deleted, or in which nothing was asked before the reload.
  const closeGone = async (): Promise<void> => {
    await Promise.all(window.tabGroups.all.flatMap(({ tabs }) => tabs.map(closeIfGone)));
  };
  void closeGone();

  return {
    closeGone,
    changed: (id) => changes.fire(kinds.map((kind) => ({ type: FileChangeType.Changed, uri: uriOf(kind, id) }))),
    async open(kind, id) {
      await window.showTextDocument(uriOf(kind, id), { preview: false });
    },
    dispose: () => owned.dispose(),
  };
}

/** Of two changes in one millisecond, the later one may not hold: it is made again. */
const mostTries = 3;

/** The change that a document's text makes as it is now; none where it cannot be read. */
function changeOf(kind: DocumentKind, document: TextDocument, conversation: Conversation): ConfigurationChange {
  try {
    return kind.change(document.getText(), conversation);
  } catch {
    return {};
  }
}

/**
 * What is typed changes the conversation before it is saved. To VS Code the document would then be newer than what it has in the
 * editor, and Save would ask which one to keep: its time stays as it was before the typing.
 */
function createTypedTimes() {
  const times = new Map<string, { readonly before: number; readonly after: number }>();
  return {
    begin(uri: Uri, now: number): void {
      const known = times.get(uri.toString());
      times.set(uri.toString(), { before: known?.after === now ? known.before : now, after: now });
    },
    end(uri: Uri, now: number): void {
      const known = times.get(uri.toString());
      if (known !== undefined) times.set(uri.toString(), { ...known, after: now });
    },
    forget: (uri: Uri): void => void times.delete(uri.toString()),
    fileTime(uri: Uri, now: number): number {
      const known = times.get(uri.toString());
      return known?.after === now ? known.before : now;
    },
  };
}

/** When what the document shows was changed last. */
function timeOf({ isIn }: DocumentKind, { configured, createdAt }: Conversation): number {
  return Math.max(createdAt, ...[...configured].flatMap(([name, { at }]) => (isIn(name) ? [at] : [])));
}

/** `parley-conversation:/System Prompt.md?ID`: the tab shows the path. */
function uriOf({ fileName }: DocumentKind, id: string): Uri {
  return Uri.from({ scheme, path: `/${fileName}`, query: id });
}

/** The schema of the document with a request, which `contributes.jsonValidation` names. */
const isSchema = ({ path, query }: Uri): boolean => path === '/Request.schema.json' && query === '';

/** The conversation and the kind of a document; undefined for any other file. */
function placeOf(uri: Uri, kinds: readonly DocumentKind[]) {
  const { query: id } = uri;
  if (!/^[\w-]{1,64}$/.test(id)) return undefined;
  const kind = kinds.find((each) => uriOf(each, id).toString() === uri.toString());
  return kind && { id, kind };
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
