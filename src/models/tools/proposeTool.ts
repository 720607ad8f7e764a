import { LanguageModelTextPart, LanguageModelToolResult, l10n, Uri, workspace } from 'vscode';
import { markdownOf, type PlainTool } from '../../editor/text/shown.ts';

/** The input, as `inputSchema` in package.json has it; VS Code checks it. One change may stand beside the title. */
interface ProposeInput {
  readonly title?: string;
  readonly changes?: readonly unknown[];
}

/** The review of changes, as the tool needs it. */
export interface ToolReview {
  /** @returns what to tell the agent; throws a sentence for it */
  proposeChanges(
    changes: readonly unknown[],
    title: string,
    find: (path: string) => Promise<Uri | undefined>,
  ): Promise<string>;
}

/** `parley_propose_edit`: an agent’s changes in the review that all others are shown in. It writes nothing, so nothing is asked. */
export function createProposeTool(review: ToolReview | undefined): PlainTool<ProposeInput> {
  return {
    prepareInvocation: async ({ input }) => ({
      invocationMessage: markdownOf(l10n.t('Proposing changes: {0}', changesOf(input).length)),
    }),
    async invoke({ input }) {
      if (review === undefined) throw new Error('The edits of Parley did not start.');
      const name = input.title?.trim() || l10n.t('Changes of an agent');
      const text = await review.proposeChanges(changesOf(input), name, findInWorkspace);
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    },
  };
}

function changesOf({ title: _, changes, ...one }: ProposeInput): readonly unknown[] {
  return [...(Object.keys(one).length > 0 ? [one] : []), ...(changes ?? [])];
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
