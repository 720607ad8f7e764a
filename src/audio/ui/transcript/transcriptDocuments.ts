import {
  type Disposable,
  EventEmitter,
  env,
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
import { languageCode } from '../../transcript/languageNames.ts';
import { type MergedEdit, mergeEdit } from '../../transcript/mergeEdit.ts';
import { textIdOf } from '../../transcript/textId.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import { aboutTranscript } from './aboutTranscript.ts';
import { createDocumentBases } from './documentBases.ts';
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
  // VS Code writes nothing over a file that is newer and of another size than it read. What changed meanwhile is merged here, and so
  // all are of one size. After a reload of the window, when nobody knows what a text with edits was made from, they are of another.
  const size = 1 + (Date.now() % 1_000_000);
  const bases = owned.add(createDocumentBases());
  const changes = owned.add(new EventEmitter<FileChangeEvent[]>());
  const fire = (uris: readonly Uri[]): void => changes.fire(uris.map((uri) => ({ type: FileChangeType.Changed, uri })));
  // A recording that was renamed or copied has documents of other names.
  const openOnes = (id: string): Uri[] =>
    workspace.textDocuments.map(({ uri }) => uri).filter((uri) => readUri(uri)?.id === id);
  owned.add(transcripts.onDidChange((transcript) => fire(openOnes(textIdOf(transcript)))));
  const rereads = owned.add(createRereads((uri) => fire([uri])));

  /** @throws FileNotFound for what is no document of a transcript that is kept */
  async function read(uri: Uri): Promise<{ transcript: Transcript; content: string }> {
    const named = readUri(uri);
    const transcript = named && (await transcripts.get(named.id));
    if (named === undefined || transcript === undefined) throw FileSystemError.FileNotFound(uri);
    const written = await writeDocument(transcript, named.format, aboutTranscript(transcript), never);
    if ('refused' in written) throw FileSystemError.FileNotFound(uri);
    return { transcript, content: written.content };
  }

  const provider: FileSystemProvider = {
    onDidChangeFile: changes.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri): Promise<FileStat> {
      const { transcript } = await read(uri);
      const ctime = Date.parse(transcript.createdAt);
      const edited = Date.parse(transcript.editedAt ?? transcript.createdAt);
      return { type: FileType.File, ctime, mtime: Math.max(edited, rereads.timeOf(uri)), size };
    },
    async readFile(uri) {
      const { transcript, content } = await read(uri);
      bases.wasRead(uri, transcript, content);
      return new TextEncoder().encode(content);
    },
    async writeFile(uri, bytes) {
      const named = readUri(uri);
      if (named === undefined) throw FileSystemError.FileNotFound(uri);
      const content = new TextDecoder().decode(bytes);
      const document = await readDocument(content, named.format, never);
      const [problem] = document.problems;
      // The lines that could not be read would be lost.
      if (problem !== undefined) throw FileSystemError.Unavailable(plain(problemText(problem)));
      let merged: MergedEdit = { edit: document, replaced: [] };
      const edited = await transcripts.edit(named.id, (kept) => {
        const base = bases.get(uri);
        if (base !== undefined) merged = mergeEdit(base, kept, document);
        return replaceTexts(kept, merged.edit, Date.now());
      });
      if (edited === undefined) throw FileSystemError.FileNotFound(uri);
      const { text = '', segments } = document;
      bases.wasSaved(uri, { text, segments: [...segments] }, content);
      const { edit, replaced } = merged;
      const isOther = edit.segments.length !== segments.length || edit.segments.some((one, at) => one !== segments[at]);
      if (isOther) rereads.add(uri);
      if (replaced.length > 0) void tellReplaced(replaced);
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
      const query = `${textIdOf(transcript)}&${transcript.path}`;
      const uri = uriOf(transcript, format).with({ query });
      await window.showTextDocument(uri, { preview: false });
    },
    dispose: () => owned.dispose(),
  };
}

/** `parley-transcript:/talk.mp3.srt?SHA256`, `/talk.mp3.de.srt` for what is said in German: the tab shows the path. */
function uriOf(transcript: Transcript, format: DocumentFormat): Uri {
  const { fileName, task, language = '' } = transcript;
  const spoken = task === undefined ? '' : `.${languageCode(language) ?? 'spoken'}`;
  return Uri.from({ scheme: transcriptScheme, path: `/${fileName}${spoken}.${format}`, query: textIdOf(transcript) });
}

/** What a document's address says. */
interface NamedDocument {
  /** As `textIdOf` makes it. */
  readonly id: string;
  readonly format: DocumentFormat;
  /** Where the recording was when the document was opened: there may be several with the same bytes. */
  readonly recording: string | undefined;
}

/** The transcript of a document, and its format; undefined for any other file. */
export function readUri({ scheme, path, query }: Uri): NamedDocument | undefined {
  const format = documentFormats.find((each) => path.endsWith(`.${each}`));
  const [, id, recording] = /^([0-9a-f]{64}(?:\.spoken)?)(?:&(.+))?$/s.exec(query) ?? [];
  if (scheme !== transcriptScheme || format === undefined || id === undefined) return undefined;
  return { id, format, recording };
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

/** Has VS Code read documents again that were saved and do not show yet what was changed elsewhere. */
interface Rereads extends Disposable {
  /** A document is being saved. */
  add(uri: Uri): void;
  /** Since when a file is another one than VS Code has written, in milliseconds since the epoch; 0 where it is that. */
  timeOf(uri: Uri): number;
}

/** @param fire tells VS Code of a change, which it looks at only when the document is saved */
function createRereads(fire: (uri: Uri) => void): Rereads {
  const saving = new Set<string>();
  const times = new Map<string, number>();
  const listening = [
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (!saving.delete(String(uri))) return;
      // The time that it has noted is that of the edit.
      times.set(String(uri), Date.now() + 1);
      fire(uri);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => times.delete(String(uri))),
  ];
  return {
    add: (uri) => saving.add(String(uri)),
    timeOf: (uri) => times.get(String(uri)) ?? 0,
    dispose: () => {
      for (const each of listening) each.dispose();
    },
  };
}

/** Says that a document was saved over lines that were changed elsewhere, which can be copied. */
async function tellReplaced(texts: readonly string[]): Promise<void> {
  const copy = l10n.t('Copy the Other Text');
  const chosen = await window.showWarningMessage(
    l10n.t('Lines that you saved were changed at another place meanwhile: {0}. Your text is kept.', texts.length),
    copy,
  );
  if (chosen === copy) await env.clipboard.writeText(texts.join('\n'));
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
