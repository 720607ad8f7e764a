/** A hit of the code search, as a model reads it. Lines are counted from 1, both ends included. */
export interface FoundLines {
  path: string;
  startLine: number;
  endLine: number;
  text: string;
}

/** A hit as its place and its lines between fences, which are longer than any inside. */
export function hitText({ path, startLine, endLine, text }: FoundLines): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  return `${path}:${startLine}-${endLine}\n${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
