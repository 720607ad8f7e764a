import { LanguageModelTextPart, LanguageModelToolResult, l10n, Uri, workspace } from 'vscode';
import { markdownOf, type PlainTool } from '../../editor/text/shown.ts';

/** The input, as `inputSchema` in package.json has it; VS Code checks it. */
interface ProposeInput {
  readonly title?: string;
  readonly changes: readonly { readonly path: string; readonly oldText: string; readonly newText: string }[];
}

/** The review of changes, as the tool needs it. */
export interface ToolReview {
  /** @returns what to tell the agent; throws a sentence for it */
  proposeReplacements(
    changes: ProposeInput['changes'],
    title: string,
    find: (path: string) => Promise<Uri | undefined>,
  ): Promise<string>;
}

/** `parley_propose_edit`: an agent’s changes in the review that all others are shown in. It writes nothing, so nothing is asked. */
export function createProposeTool(review: ToolReview | undefined): PlainTool<ProposeInput> {
  return {
    prepareInvocation: async ({ input: { changes } }) => ({
      invocationMessage: markdownOf(l10n.t('Proposing changes: {0}', changes.length)),
    }),
    async invoke({ input: { title, changes } }) {
      if (review === undefined) throw new Error('The edits of Parley did not start.');
      const name = title?.trim() || l10n.t('Changes of an agent');
      const text = await review.proposeReplacements(changes, name, findInWorkspace);
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    },
  };
}

/** The file at a path from a folder of the workspace; agents give such paths, or whole ones. */
async function findInWorkspace(path: string): Promise<Uri | undefined> {
  if (path.split(/[/\\]/).includes('..')) return undefined;
  const folders = workspace.workspaceFolders ?? [];
  const whole = Uri.file(path);
  const candidates = [
    ...(workspace.getWorkspaceFolder(whole) === undefined ? [] : [whole]),
    ...folders.map(({ uri }) => Uri.joinPath(uri, path)),
    ...folders
      .filter(({ name }) => path.startsWith(`${name}/`))
      .map(({ uri, name }) => Uri.joinPath(uri, path.slice(name.length))),
  ];
  for (const uri of candidates) {
    const isThere = await workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (isThere) return uri;
  }
  return undefined;
}
