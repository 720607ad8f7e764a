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
import type { DocumentProblem } from '../../document/timedLines.ts';
import {
  type DocumentFormat,
  documentFormats,
  readDocument,
  writeDocument,
} from '../../document/transcriptDocument.ts';
import { replaceTexts } from '../../transcript/editTranscript.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import { aboutTranscript } from './aboutTranscript.ts';
import type { Transcripts } from './transcripts.ts';

/** The scheme of transcripts that are edited as text. */
export const transcriptScheme = 'parley-transcript';

/** Transcripts as text documents: what is saved is taken over, and what is edited on the page is in the document, too. */
export interface TranscriptDocuments extends Disposable {
  open(transcript: Transcript, format: DocumentFormat): Promise<void>;
  uriOf(transcript: Transcript, format: DocumentFormat): Uri;
}

const never = new AbortController().signal;

/** After a reload, the activation event `onFileSystem:parley-transcript` has Parley activated for a tab that VS Code restores. */
export function createTranscriptDocuments(transcripts: Transcripts): TranscriptDocuments {
  const owned = new Disposables();
  const changes = owned.add(new EventEmitter<FileChangeEvent[]>());
  owned.add(
    transcripts.onDidChange((transcript) =>
      changes.fire(documentFormats.map((format) => ({ type: FileChangeType.Changed, uri: uriOf(transcript, format) }))),
    ),
  );

  /** @throws FileNotFound for what is no document of a transcript that is kept */
  async function read(uri: Uri): Promise<{ transcript: Transcript; bytes: Uint8Array }> {
    const named = readUri(uri);
    const transcript = named && (await transcripts.get(named.sha256));
    if (named === undefined || transcript === undefined) throw FileSystemError.FileNotFound(uri);
    const written = await writeDocument(transcript, named.format, aboutTranscript(transcript), never);
    if ('refused' in written) throw FileSystemError.FileNotFound(uri);
    return { transcript, bytes: new TextEncoder().encode(written.content) };
  }

  const provider: FileSystemProvider = {
    onDidChangeFile: changes.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri): Promise<FileStat> {
      const { transcript, bytes } = await read(uri);
      const ctime = Date.parse(transcript.createdAt);
      const mtime = Date.parse(transcript.editedAt ?? transcript.createdAt);
      return { type: FileType.File, ctime, mtime, size: bytes.length };
    },
    readFile: async (uri) => (await read(uri)).bytes,
    async writeFile(uri, bytes) {
      const named = readUri(uri);
      if (named === undefined) throw FileSystemError.FileNotFound(uri);
      const document = await readDocument(new TextDecoder().decode(bytes), named.format, never);
      const [problem] = document.problems;
      // The lines that could not be read would be lost.
      if (problem !== undefined) throw FileSystemError.Unavailable(plain(problemText(problem)));
      const edited = await transcripts.edit(named.sha256, (transcript) =>
        replaceTexts(transcript, document, Date.now()),
      );
      if (edited === undefined) throw FileSystemError.FileNotFound(uri);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  owned.add(workspace.registerFileSystemProvider(transcriptScheme, provider, { isCaseSensitive: true }));

  return {
    uriOf,
    async open(transcript, format) {
      await window.showTextDocument(uriOf(transcript, format), { preview: false });
    },
    dispose: () => owned.dispose(),
  };
}

/** `parley-transcript:/talk.mp3.srt?SHA256`: the tab shows the path. */
function uriOf({ fileName, sha256 }: Pick<Transcript, 'fileName' | 'sha256'>, format: DocumentFormat): Uri {
  return Uri.from({ scheme: transcriptScheme, path: `/${fileName}.${format}`, query: sha256 });
}

/** The transcript of a document, and its format; undefined for any other file. */
export function readUri({ scheme, path, query: sha256 }: Uri): { sha256: string; format: DocumentFormat } | undefined {
  const format = documentFormats.find((each) => path.endsWith(`.${each}`));
  const isOne = scheme === transcriptScheme && /^[0-9a-f]{64}$/.test(sha256);
  return isOne && format !== undefined ? { sha256, format } : undefined;
}

/** Why a document cannot be taken over as it is; lines are counted from 1, as the editor does. */
export function problemText({ line, reason }: DocumentProblem): string {
  const number = line + 1;
  switch (reason) {
    case 'bad-time':
      return l10n.t('Line {0} begins like times, and is none.', number);
    case 'end-before-start':
      return l10n.t('Line {0} ends before it begins.', number);
    case 'text-without-time':
      return l10n.t('The text on line {0} has no time above it.', number);
    case 'too-long':
      return l10n.t('Line {0} is longer than any transcript.', number);
    case 'too-many-segments':
      return l10n.t('From line {0} on there are more lines than a transcript has.', number);
  }
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
