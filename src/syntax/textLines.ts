/** How far a line is indented, in columns: a tab goes to the next multiple of four. */
export function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === '\t') columns += 4 - (columns % 4);
    else if (character === ' ') columns += 1;
    else break;
  }
  return columns;
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Whether a line is a comment and nothing else, in any of the usual forms. */
export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\[|!\[|\s*(?:include|define|if|ifdef|ifndef|endif|elif|else|pragma|undef|import|region)\b)|--(?!-?>|\w)|<!--|\{\/\*|;;?\s|"""|'''|%%?\s|\(\*|rem\s)/i.test(
    line,
  );
}

/** Whether a line belongs to what follows: a comment, a decorator, an attribute. */
export function isRemark(line: string): boolean {
  return isComment(line) || /^\s*(?:@[\p{L}_.]+|#!?\[|\[[A-Z]\w*)/u.test(line);
}
