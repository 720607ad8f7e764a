/** Words before a message that are no part of it: “Sure!”, “Here is a commit message:”, and the heading “Commit message:”. */
const introductions: readonly RegExp[] = [
  /^(?:(?:sure|certainly|of course|absolutely)\b[^\n:]{0,80}[!.]|(?:sure|certainly|of course|okay|ok|absolutely)[!.,]?)[ \t]*(?:\n|$)/i,
  /^(?:(?:sure|certainly|of course|okay|ok|absolutely)\b[^\n:]{0,40}[!.,—-]\s*)?(?:here(?:['’]s| is| are)|this is|below is|the following is|based on|i (?:suggest|propose))\b[^\n]{0,200}:\**[ \t]*(?:\n|$)/i,
  /^(?:(?:suggested|proposed|git) )?(?:git )?commit message\**(?::\**[ \t]*|[ \t]*(?=\n))/i,
  // Any other line that leads to a fence.
  /^[^\n]{1,300}:\**[ \t]*\n\s*(?=```|~~~)/,
];

/** What an introduction may begin with, and what it may be marked with. */
const beginnings = [
  ...['sure', 'certainly', 'of course', 'okay', 'absolutely', 'here', 'this is', 'below is', 'the following is'],
  ...['based on', 'i suggest', 'i propose', 'commit message', 'suggested commit', 'proposed commit', 'git commit'],
];
const marks = /^(?:\*{1,2}|#{1,6}[ \t]+)/;

/**
 * The text without the words before a message, however many there are. It may begin with white space.
 * @param isEnded false while there is more to come: then it is empty until it is certain that the message has begun
 */
export function withoutIntroduction(text: string, isEnded: boolean): string {
  const start = text.trimStart();
  if (!isEnded && mayIntroduce(start)) return '';
  const unmarked = start.replace(marks, '');
  for (const introduction of introductions) {
    const found = introduction.exec(unmarked);
    if (found !== null) return withoutIntroduction(unmarked.slice(found[0].length), isEnded);
  }
  return start;
}

/** Whether a text that goes on may turn out to begin with an introduction. */
function mayIntroduce(start: string): boolean {
  if (start.includes('\n') || start.length > 300) return false;
  const words = start.replace(/^[*#\s]+/, '').toLowerCase();
  return beginnings.some((beginning) => beginning.startsWith(words) || words.startsWith(beginning));
}
