import { type CodeLens, commands, type Uri } from 'vscode';
import { until } from './until.ts';

/** More lenses than any document of a suite has. */
const mostResolved = 20;

/** The titles of the lenses of a document, without their icons. */
export function lensTitles(uri: Uri): Promise<string[]> {
  return until('the lenses have their commands', async () => {
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, mostResolved);
    // VS Code forgets the commands of a list when it asks for the next one, also before a caller has read the first.
    return lenses.every(({ command }) => command !== undefined)
      ? lenses.map(({ command }) => command?.title.replace(/^\$\(\S+\)\s/, '') ?? '')
      : undefined;
  });
}
