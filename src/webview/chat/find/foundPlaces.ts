import type { MarkdownIt } from 'markdown-it';
import { markWords } from '../../parts/marks.ts';
import { readForm } from '../../parts/readText.ts';
import type { MessageView } from '../../shared/protocol/messageProtocol.ts';
import { type MessageList, messageTexts } from '../list/messageList.ts';
import type { MessagePlace } from '../list/messagePlace.ts';
import { createMessageTexts } from './messageText.ts';

/** Where a text stands in the conversation. */
export interface FoundPlaces {
  /** The messages in which it stands: in what they say, or, as thoughts that are open, on the page. */
  messages(wanted: string): number[];
  /** Marks it wherever it is drawn. Gives the marks in one message. */
  mark(wanted: string, message: number): Range[];
}

export function createFoundPlaces(
  markdown: MarkdownIt,
  list: MessageList,
  messages: () => readonly MessageView[],
): FoundPlaces {
  const texts = createMessageTexts(markdown);
  const markAll = (wanted: string): Range[] => markWords(list.element.querySelectorAll(messageTexts), [wanted]);

  return {
    messages(wanted) {
      const form = readForm(wanted);
      if (form === '') return [];
      const marks = markAll(wanted);
      return messages().flatMap((message, index) =>
        texts.read(message).includes(form) || marksIn(marks, list.places[index]).length > 0 ? [index] : [],
      );
    },
    mark: (wanted, message) => marksIn(markAll(wanted), list.places[message]),
  };
}

/** The marks in a message. What is folded away has a range, but no place. */
function marksIn(marks: readonly Range[], place: MessagePlace | undefined): Range[] {
  if (place?.isDrawn !== true) return [];
  return marks.filter((range) => place.element.contains(range.startContainer) && range.getClientRects().length > 0);
}
