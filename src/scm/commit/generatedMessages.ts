/** The message that was written last for each repository, and the author's words that it was made of. */
export interface GeneratedMessages {
  /** The author's words in a box: a message that stands there as it was written is none of them. */
  draftOf(repository: string, box: string): string;
  wrote(repository: string, message: string, draft: string): void;
}

export function createGeneratedMessages(): GeneratedMessages {
  const last = new Map<string, { readonly message: string; readonly draft: string }>();
  // VS Code may keep the text with the line ends of Windows.
  const unified = (text: string): string => text.replaceAll('\r\n', '\n');
  return {
    draftOf(repository, box) {
      const known = last.get(repository);
      return known !== undefined && unified(box) === unified(known.message) ? known.draft : box;
    },
    wrote(repository, message, draft) {
      last.set(repository, { message, draft });
    },
  };
}
