import { l10n } from 'vscode';
import { plain } from '../../../editor/text/plainText.ts';
import type { Contents } from '../../store/indexContents.ts';
import { chunksText, exclusionText, tokensText } from '../shared/sentences.ts';

/** A document of the files that would be sent and the files left out. */
export function contentsText({ pending, excluded }: Contents): string {
  const lines = [l10n.t('Would be sent'), ''];
  for (const { path, chunks, tokens } of pending) {
    lines.push(l10n.t('{0} · {1}, about {2}', plain(path), chunksText(chunks), tokensText(tokens)));
  }
  lines.push('', l10n.t('Left out, besides what git ignores'), '');
  for (const reason of new Set(excluded.map((file) => file.reason))) {
    const files = excluded.filter((file) => file.reason === reason);
    lines.push(exclusionText(reason, files.length), ...files.map(({ path }) => `  ${plain(path)}`), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
