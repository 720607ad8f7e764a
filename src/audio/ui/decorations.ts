import { type Disposable, EventEmitter, l10n, ThemeColor, type Uri, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import { plain } from '../../editor/text/plainText.ts';
import { type PlainDecoration, window } from '../../editor/text/window.ts';
import { isRecordingName, recordingExtensions } from '../recording/formats.ts';
import { identify } from '../recording/recording.ts';
import type { Journal } from '../transcript/journal.ts';

/** Asks for the marks of these files again; undefined: of all. */
export interface Decorations extends Disposable {
  refresh(uris: Uri[] | undefined): void;
}

/** Matches every audio file of a folder, however its extension is written. */
export const audioGlob = `**/*.{${recordingExtensions.flatMap((name) => [name, name.toUpperCase()]).join(',')}}`;

/** Marks the audio files that have a saved translation into English, as long as they have not changed since. */
export function registerDecorations(journal: Journal): Decorations {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<Uri[] | undefined>());
  const watcher = owned.add(workspace.createFileSystemWatcher(audioGlob));
  for (const event of [watcher.onDidCreate, watcher.onDidChange]) owned.add(event((uri) => changed.fire([uri])));

  async function decorate(uri: Uri): Promise<PlainDecoration | undefined> {
    if (uri.scheme !== 'file' || !isRecordingName(uri.path)) return undefined;
    const file = await identify(uri.fsPath);
    const words = file && (await journal.firstWords(file));
    if (words === undefined) return undefined;
    return {
      badge: plain('EN'),
      tooltip: plain(l10n.t('Translated to English: {0}', words)),
      color: new ThemeColor('textLink.foreground'),
      propagate: false,
    };
  }

  owned.add(
    window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration: decorate,
    }),
  );
  return { refresh: (uris) => changed.fire(uris), dispose: () => owned.dispose() };
}
