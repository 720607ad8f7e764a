import { l10n } from 'vscode';
import { plain } from '../../../editor/text/plainText.ts';
import type { Contents } from '../../store/indexContents.ts';
import { chunksText, exclusionText, tokensText } from '../shared/sentences.ts';

/**
 * A document of the files that would be sent, those that need no request, and the files left out.
 * @param folders of the workspace: where there are several, each path begins with the name of its own
 */
export function contentsText(
  { pending, known, excluded }: Contents,
  folders: readonly { root: string; name: string }[] = [],
): string {
  const names = new Map(folders.length > 1 ? folders.map(({ root, name }) => [root, name]) : []);
  const pathOf = ({ root, path }: { root: string; path: string }): string => {
    const name = names.get(root);
    return plain(name === undefined ? path : `${name}/${path}`);
  };
  const lines = [l10n.t('Would be sent'), ''];
  for (const file of pending) {
    lines.push(l10n.t('{0} · {1}, about {2}', pathOf(file), chunksText(file.chunks), tokensText(file.tokens)));
  }
  if (known.length > 0) {
    lines.push('', l10n.t('Needs no request: the embeddings are on this machine'), '');
    for (const file of known) lines.push(l10n.t('{0} · {1}', pathOf(file), chunksText(file.chunks)));
  }
  lines.push('', l10n.t('Left out, besides what git ignores'), '');
  for (const reason of new Set(excluded.map((file) => file.reason))) {
    const files = excluded.filter((file) => file.reason === reason);
    lines.push(exclusionText(reason, files.length), ...files.map((file) => `  ${pathOf(file)}`), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
