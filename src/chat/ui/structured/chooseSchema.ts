import { FileType, l10n, type QuickPickItem, Uri, workspace } from 'vscode';
import { readTextFile } from '../../../editor/files/textFile.ts';
import { askFolder, type FilePlaces, foldersOf, isThere, writeFile } from '../../../editor/files/userOrWorkspace.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { longestParameter, type ParameterValue } from '../../parameters/parameterForms.ts';
import { presetName } from '../../parameters/requestJson.ts';
import { exampleSchema, readSchemaFile, type SchemaFile } from '../../structured/schemaFile.ts';

/** The folder of a workspace's schemas, which `contributes.jsonValidation` names, too. */
const workspacePath = ['.parley', 'schemas'] as const;

/** Files of one folder that are listed. */
const mostFiles = 200;
const mostBytes = 8 * longestParameter;

/** Where schemas are, and what becomes of the one that is chosen. */
export interface SchemaParts {
  readonly notices: Notices;
  readonly userFolder: Uri;
  /** Null: none. */
  change(format: ParameterValue | null): Promise<void>;
}

/** Has the user choose a file whose schema the answers of a conversation are to fit, or none, or make one. */
export async function chooseSchema(parts: SchemaParts): Promise<void> {
  const places = { userFolder: parts.userFolder, workspacePath };
  const files = await listSchemas(places);
  const items: (QuickPickItem & { run(): Promise<void> })[] = [
    ...files.map((file) => ({ label: file.name, description: file.folderName, run: () => takeSchema(file, parts) })),
    { label: l10n.t('New Schema File…'), run: () => makeSchema(places) },
    { label: l10n.t('No Schema'), run: () => parts.change(null) },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Schema for Answers'),
    placeHolder: l10n.t('What the answers of this conversation are to fit, as JSON'),
  });
  await chosen?.run();
}

interface ListedSchema {
  readonly name: string;
  readonly uri: Uri;
  readonly root: Uri | undefined;
  readonly folderName: string;
}

async function listSchemas(places: FilePlaces): Promise<ListedSchema[]> {
  const lists = await Promise.all(
    foldersOf(places).map(async ({ folder, root }) => {
      const entries = await workspace.fs.readDirectory(folder).then(
        (all) => all,
        () => [],
      );
      const folderName = root === undefined ? l10n.t('mine') : (workspace.getWorkspaceFolder(root)?.name ?? '');
      const found = entries.flatMap(([file, type]): ListedSchema[] => {
        const name = presetName(file);
        if ((type & FileType.File) === 0 || name === undefined) return [];
        return [{ name, uri: Uri.joinPath(folder, file), root, folderName }];
      });
      return found.sort((a, b) => a.name.localeCompare(b.name)).slice(0, mostFiles);
    }),
  );
  return lists.flat();
}

/** What is in the file now goes with the questions; later changes of the file count when it is chosen again. */
async function takeSchema({ name, uri, root }: ListedSchema, { notices, change }: SchemaParts): Promise<void> {
  const text = await readTextFile(uri, mostBytes, root);
  const read = text === undefined ? undefined : readSchemaFile(text, name);
  const open = { title: l10n.t('Open File'), command: 'vscode.open', arguments: [uri] };
  if (read === undefined || 'problem' in read) {
    void notices.warn(l10n.t('The schema “{0}” is not used: {1}', name, problemText(read?.problem)), open);
    return;
  }
  await change(read.format);
  const [address] = read.remote;
  if (address === undefined) return;
  const sentence = l10n.t(
    'The schema “{0}” refers to {1}, which Parley does not fetch: that part is not checked.',
    name,
    address.slice(0, 200),
  );
  void notices.warn(sentence, open);
}

function problemText(problem: Extract<SchemaFile, { readonly problem: unknown }>['problem'] | undefined): string {
  switch (problem) {
    case 'json':
      return l10n.t('It is not JSON.');
    case 'object':
      return l10n.t('It is no JSON object.');
    case 'deep':
      return l10n.t('It has more than 100 levels.');
    case 'long':
      return l10n.t('It has more than 100,000 characters.');
    case undefined:
      return l10n.t('It cannot be read, or is too large.');
  }
}

/** Makes a file with an example, and opens it; it is chosen once it says what it is to say. */
async function makeSchema(places: FilePlaces): Promise<void> {
  const title = l10n.t('New Schema File…');
  const folder = await askFolder(places, { title, placeHolder: l10n.t('Who the schema is for') });
  if (folder === undefined) return;
  const typed = await window.showInputBox({
    title,
    prompt: l10n.t('The name of the schema'),
    validateInput: (text) =>
      presetName(`${text.trim()}.json`) === undefined ? l10n.t('Letters or digits, at most 64') : undefined,
  });
  const name = typed === undefined ? undefined : presetName(`${typed.trim()}.json`);
  if (name === undefined) return;
  const uri = Uri.joinPath(folder, `${name}.json`);
  // What is there already is opened as it is.
  if (!(await isThere(uri))) await writeFile(uri, places, exampleSchema);
  await window.showTextDocument(uri, { preview: false });
}
