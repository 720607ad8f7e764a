import {
  type Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  l10n,
  Uri,
  workspace,
} from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import type { Conversation } from '../../conversation.ts';
import { type ConfigurationChange, configurationOf, longestSystemPrompt } from '../../parameters/configuration.ts';
import { readChatSettings } from '../chatSettings.ts';

const scheme = 'parley-conversation';
const fileName = 'System Prompt.md';

/** The conversations as this needs them. */
export interface Conversations {
  read(id: string): Promise<Conversation | undefined>;
  configure(id: string, change: ConfigurationChange): Promise<void>;
}

/** System prompts of conversations as documents of the editor: what is saved is taken over. */
export interface SystemPromptDocuments extends Disposable {
  open(id: string): Promise<void>;
  /** Tells VS Code that a conversation's system prompt may be another one. */
  changed(id: string): void;
}

/** After a reload, the activation event `onFileSystem:parley-conversation` has Parley activated for a tab that VS Code restores. */
export function createSystemPromptDocuments(conversations: Conversations): SystemPromptDocuments {
  const owned = new Disposables();
  const changes = owned.add(new EventEmitter<FileChangeEvent[]>());
  const changed = (id: string): void => changes.fire([{ type: FileChangeType.Changed, uri: uriOf(id) }]);

  /** @throws FileNotFound for what is no system prompt of a conversation that is there */
  async function read(uri: Uri): Promise<{ id: string; bytes: Uint8Array; at: number; createdAt: number }> {
    const id = idOf(uri);
    const conversation = id === undefined ? undefined : await conversations.read(id);
    if (conversation === undefined) throw FileSystemError.FileNotFound(uri);
    const { configured, createdAt } = conversation;
    const text = configurationOf(configured).systemPrompt ?? readChatSettings().systemPrompt;
    const at = configured.get('systemPrompt')?.at ?? createdAt;
    return { id: conversation.id, bytes: new TextEncoder().encode(text), at, createdAt };
  }

  const provider: FileSystemProvider = {
    onDidChangeFile: changes.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri): Promise<FileStat> {
      const { bytes, at, createdAt } = await read(uri);
      return { type: FileType.File, ctime: createdAt, mtime: at, size: bytes.length };
    },
    readFile: async (uri) => (await read(uri)).bytes,
    async writeFile(uri, bytes) {
      const text = new TextDecoder().decode(bytes).trim();
      if (text.length > longestSystemPrompt) {
        throw FileSystemError.Unavailable(plain(l10n.t('A system prompt has at most 100,000 characters.')));
      }
      const { id } = await read(uri);
      const systemPrompt = text === readChatSettings().systemPrompt ? null : text;
      await conversations.configure(id, { systemPrompt });
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  owned.add(workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true }));

  return {
    changed,
    async open(id) {
      await window.showTextDocument(uriOf(id), { preview: false });
    },
    dispose: () => owned.dispose(),
  };
}

/** `parley-conversation:/System Prompt.md?ID`: the tab shows the path. */
function uriOf(id: string): Uri {
  return Uri.from({ scheme, path: `/${fileName}`, query: id });
}

/** The conversation of a document; undefined for any other file. */
function idOf(uri: Uri): string | undefined {
  const { query: id } = uri;
  return /^[\w-]{1,64}$/.test(id) && uri.toString() === uriOf(id).toString() ? id : undefined;
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
