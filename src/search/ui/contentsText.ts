import { l10n } from 'vscode';
import type { Contents } from '../contents.ts';
import { chunksText, exclusionText, filesText, numberText } from './sentences.ts';

/** File by file what would be sent and what is left out, for a document. */
export function contentsText({ pending, excluded }: Contents): string {
  const lines = [l10n.t('Would be sent'), ''];
  for (const { path, chunks, tokens } of pending) {
    lines.push(l10n.t('{0} · {1}, about {2} tokens', path, chunksText(chunks), numberText(tokens)));
  }
  lines.push('', l10n.t('Left out, besides what git ignores'), '');
  for (const reason of new Set(excluded.map((file) => file.reason))) {
    const files = excluded.filter((file) => file.reason === reason);
    lines.push(exclusionText(reason, filesText(files.length)), ...files.map(({ path }) => `  ${path}`), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
