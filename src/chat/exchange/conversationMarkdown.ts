import { fencedText } from '../conversation/attachment.ts';
import { type Conversation, type Message, titleOf } from '../conversation/conversation.ts';

/** Words of the written form, in the user's language. */
export interface Labels {
  readonly untitled: string;
  readonly question: string;
  readonly answer: string;
  /** The label that follows the text of an incomplete answer. */
  readonly incomplete: string;
}

/** A conversation as a Markdown document. */
export function conversationToMarkdown(conversation: Conversation, labels: Labels): string {
  const title = titleOf(conversation) || labels.untitled;
  const parts = conversation.messages.map((message) => messageToMarkdown(message, labels));
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function messageToMarkdown(message: Message, labels: Labels): string {
  if (message.role === 'user') {
    const attachments = message.attachments.map((a) => `${a.path}:${a.range.startLine}\n\n${fencedText(a)}`);
    return [`## ${labels.question}`, message.text.trim(), ...attachments].filter((part) => part !== '').join('\n\n');
  }
  const heading = message.model === undefined ? labels.answer : `${labels.answer} (${message.model})`;
  const rest = message.state === 'complete' ? [] : [`*${labels.incomplete}*`];
  return [`## ${heading}`, message.text.trim(), ...rest].filter((part) => part !== '').join('\n\n');
}
