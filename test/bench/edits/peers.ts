/** How two peers apply what a model answers, as their documentation and settings describe it. */
import type { EditCase, Outcome } from '../../corpus/editCases.ts';

/** The contents of the first fence, or the whole answer, take the place of the selection, or of the whole file. */
export function replaceByFirstFence({ answer, before, path, selection, way }: EditCase): Outcome {
  const fence = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^[ \t]*\1|$(?![\s\S]))/m.exec(answer)?.[2];
  const code = way === 'apply' ? `${answer}\n` : (fence ?? `${answer}\n`);
  const target = path ?? before.keys().next().value ?? '';
  const old = before.get(target) ?? '';
  const eol = old.includes('\r\n') ? '\r\n' : '\n';
  const lines = old.split(/(?<=\n)/);
  const first = selection === undefined ? 0 : selection.first - 1;
  const last = selection === undefined ? lines.length : selection.last;
  const next = [...lines.slice(0, first), code.replace(/\r?\n/g, eol), ...lines.slice(last)].join('');
  return applied(new Map([...before, [target, next]]));
}

/** Search/replace blocks whose old text is in the file to the letter, the first place counting; all or nothing. */
export function replaceByExactSearch({ answer, before, path }: EditCase): Outcome {
  const blocks = [...answer.matchAll(/^<{5,9} SEARCH\n([\s\S]*?)^={5,9}\n([\s\S]*?)^>{5,9} REPLACE/gm)];
  if (blocks.length === 0) return applied(undefined);
  const result = new Map(before);
  for (const [, search = '', replace = ''] of blocks) {
    const target = path ?? [...result].find(([, text]) => text.replaceAll('\r\n', '\n').includes(search))?.[0];
    const old = target === undefined ? undefined : result.get(target);
    if (target === undefined || old === undefined) return applied(undefined);
    const isCrlf = old.includes('\r\n');
    const text = old.replaceAll('\r\n', '\n');
    if (!text.includes(search)) return applied(undefined);
    const next = text.replace(search, () => replace);
    result.set(target, isCrlf ? next.replaceAll('\n', '\r\n') : next);
  }
  return applied(result);
}

const applied = (texts: Outcome['texts']): Outcome => ({ texts, isAskedAgain: false });
