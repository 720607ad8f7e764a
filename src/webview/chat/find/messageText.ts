import type { MarkdownIt, Token } from 'markdown-it';
import { readForm } from '../../parts/readText.ts';
import type { MessageView } from '../../shared/protocol/messageProtocol.ts';

/** What is read of messages, also of those that are not drawn. */
export interface MessageTexts {
  /** The paragraphs of a message, each in the form in which it is searched, with line breaks between them. */
  read(message: MessageView): string;
}

/** A longer message is not read for what is found in it, in characters: it would hold the page at each key. */
const longest = 400_000;

export function createMessageTexts(markdown: MarkdownIt): MessageTexts {
  /** By the ids of messages: what was read, and of which text. */
  const known = new Map<string, { readonly of: string; readonly read: string }>();

  return {
    read({ id, role, text }) {
      const before = known.get(id);
      if (before?.of === text) return before.read;
      const part = text.slice(0, longest);
      const read = role === 'user' ? readForm(part) : paragraphs(markdown, part).join('\n');
      known.set(id, { of: text, read });
      return read;
    },
  };
}

function paragraphs(markdown: MarkdownIt, text: string): string[] {
  return markdown.parse(text, {}).flatMap(({ type, content, children }) => {
    if (type === 'fence' || type === 'code_block') return [readForm(content)];
    return children === null ? [] : [readForm(children.map(wordsOf).join(''))];
  });
}

/** The words of a part of a paragraph: neither the address of a link nor what makes words bold is one. */
function wordsOf({ type, content, markup }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak') return ' ';
  return type === 'text' || type === 'code_inline' || type === 'text_special' ? content || markup : '';
}
