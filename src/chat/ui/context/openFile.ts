import { type Disposable, type Event, EventEmitter, TabInputText, type TextEditor, workspace } from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { onSettingChange, readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import type { Attachment } from '../../conversation/attachment.ts';
import { attachDocument, attachFile, wholeFileLimit } from './attach.ts';
import { confirmSecret } from './confirmSecret.ts';

/** The file that is open in the editor, which goes along with the next question unless the user, or the setting, says otherwise. */
export interface OpenFile extends Disposable {
  /** As it is now; undefined where none is open that is text, and in Restricted Mode. */
  readonly attachment: Attachment | undefined;
  /** Whether it goes along. What may hold secrets does so only after a clear yes. */
  readonly isOn: boolean;
  /** The user's choice: it holds for this surface, whichever file is open. */
  set(isOn: boolean): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** Time between two looks at a file that is being written in, in milliseconds. */
const betweenLooks = 1_000;

export function createOpenFile(files: Pick<WorkspaceFiles, 'isSecretName' | 'secretLine'>): OpenFile {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const fire = (): void => changed.fire();
  let editor: TextEditor | undefined;
  let choice: boolean | undefined;
  /** The files with secrets that the user wants to go along, by their addresses. */
  const agreed = new Set<string>();
  let read: { readonly key: string; readonly attachment: Attachment; readonly isSecret: boolean } | undefined;

  /** A panel that gets the focus in a tab is no editor of text: the file before it stays the open one while it has a tab. */
  function follow(next: TextEditor | undefined): void {
    if (next !== undefined && isFile(next)) editor = next;
    else if (editor !== undefined && !hasTab(editor)) editor = undefined;
  }

  /** Reads the file once for each of its versions, and for the lines in view where it is too long to go along whole. */
  function look(): typeof read {
    if (editor === undefined || !workspace.isTrusted) return undefined;
    const { document, visibleRanges } = editor;
    const isLong = document.getText().length > wholeFileLimit;
    const lines = isLong ? visibleRanges.map(({ start, end }) => [start.line, end.line]) : [];
    const key = JSON.stringify([document.uri.toString(), document.languageId, document.version, lines]);
    if (read?.key === key) return read;
    const attachment = isLong ? attachFile(editor) : attachDocument(document);
    const isText = attachment.text.trim() !== '' && !attachment.text.includes('\0');
    const isSecret = files.isSecretName(attachment.path) || files.secretLine(attachment.text) !== undefined;
    read = isText ? { key, attachment, isSecret } : undefined;
    return read;
  }

  follow(window.activeTextEditor);
  owned.add(
    window.onDidChangeActiveTextEditor((next) => {
      follow(next);
      fire();
    }),
  );
  owned.add(
    window.tabGroups.onDidChangeTabs(() => {
      if (editor === undefined || hasTab(editor)) return;
      follow(undefined);
      fire();
    }),
  );
  const lookSoon = owned.add(throttle(fire, betweenLooks));
  owned.add(workspace.onDidChangeTextDocument(({ document }) => document === editor?.document && lookSoon()));
  owned.add(workspace.onDidGrantWorkspaceTrust(fire));
  owned.add(onSettingChange(['parley.chat.openFile'], fire));

  return {
    get attachment() {
      return look()?.attachment;
    },
    get isOn() {
      const seen = look();
      if (editor === undefined || seen === undefined) return false;
      const { uri } = editor.document;
      if (seen.isSecret && !agreed.has(uri.toString())) return false;
      // What is not of the workspace is not sent unasked.
      return choice ?? (readSetting('parley.chat.openFile') && workspace.getWorkspaceFolder(uri) !== undefined);
    },
    async set(isOn) {
      const seen = look();
      const uri = editor?.document.uri.toString();
      if (isOn && seen?.isSecret && uri !== undefined && !agreed.has(uri)) {
        const { label, path, text } = seen.attachment;
        if (!(await isWanted(label, path, text))) return;
        agreed.add(uri);
      }
      choice = isOn;
      fire();
    },
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };

  async function isWanted(label: string, path: string, text: string): Promise<boolean> {
    if (files.isSecretName(path)) return confirmSecret(files, label, path, undefined);
    return confirmSecret(files, label, '', text);
  }
}

/** Whether an editor has a file that is the user's: neither an output nor settings, nor a text that Parley shows. */
function isFile({ document: { uri } }: TextEditor): boolean {
  const { scheme } = uri;
  if (scheme === 'vscode-userdata' || scheme.startsWith('parley')) return false;
  return scheme === 'untitled' || workspace.fs.isWritableFileSystem(scheme) !== undefined;
}

function hasTab({ document: { uri } }: TextEditor): boolean {
  const address = uri.toString();
  return window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === address),
  );
}
