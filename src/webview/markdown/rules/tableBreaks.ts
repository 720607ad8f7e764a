import type { MarkdownIt, Token } from 'markdown-it';

const lineBreak = /<br[ \t]{0,8}\/?>/i;

/** A `<br>` in a table is a line break: a cell has no other way to it. All other HTML stays text. */
export function addTableBreaks(markdown: MarkdownIt): void {
  markdown.core.ruler.after('text_join', 'table_breaks', ({ tokens, Token: NewToken }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'inline' || !/^t[hd]_open$/.test(tokens[at - 1]?.type ?? '')) continue;
      token.children = (token.children ?? []).flatMap((child) =>
        child.type === 'text' && lineBreak.test(child.content) ? parted(child, NewToken) : [child],
      );
    }
  });
}

function parted({ content, level }: Token, NewToken: typeof Token): Token[] {
  return content.split(lineBreak).flatMap((part, at) => {
    const text = new NewToken('text', '', 0);
    Object.assign(text, { content: part, level });
    return at === 0 ? [text] : [new NewToken('hardbreak', 'br', 0), text];
  });
}
