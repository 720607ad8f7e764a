const name = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';
/** `class Name`, `func (receiver) Name(`, `def name`, `CREATE TABLE name`, in any of the usual languages. */
const byKeyword = new RegExp(
  `\\b(?:function\\*?|class|interface|enum|struct|trait|impl|type|def|fn|func|fun|module|namespace|package|object|record|protocol|extension|macro_rules!|sub|proc|(?:TABLE|VIEW|FUNCTION)(?= \\w+ *(?:AS|\\()))\\s+(?:\\([^)]*\\)\\s*)?${name}`,
  'u',
);
/** `const name = (…) =>`, `exports.name = function`, `name: async (…) =>`. */
const byAssignment = new RegExp(
  `^\\s*(?:export\\s+)?(?:(?:const|let|var|static|readonly|public|private|protected|final)\\s+)*(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*${name}\\s*[:=]\\s*(?:async\\s+)?(?:function\\b|class\\b|\\([^()]*\\)\\s*(?::[^=]+)?=>|[\\p{L}_$][\\p{L}\\p{N}_$]*\\s*=>)`,
  'u',
);
/** A method: `private static Type name(…) {`, but not a call that takes a function. */
const byBody = new RegExp(
  `^\\s*(?:(?:export|default|public|private|protected|internal|static|async|override|final|abstract|virtual|readonly|get|set|inline)\\s+)*(?!(?:return|await|new|throw|yield|else)\\b)(?:[\\w<>[\\],.*&]+\\s+)??[*#]?${name}\\s*(?:<[^>]*>)?\\((?:(?!=>|\\bfunction\\b)[^;])*\\{\\s*$`,
  'u',
);
const keywords = new Set('if for while switch catch return function with else do try constructor'.split(' '));
/** Longest line that is searched for names; the patterns may be slow on a longer one. */
const longest = 300;

/** The names that a piece of code defines, as far as single lines show; each once. */
export function definedNames(text: string): string[] {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.length > longest) continue;
    const found = (byKeyword.exec(line) ?? byAssignment.exec(line) ?? byBody.exec(line))?.[1];
    if (found !== undefined && !keywords.has(found)) names.add(found);
  }
  return [...names];
}

/** Whether a line starts something that has a name, in any of the usual languages. */
export function isDefinition(line: string): boolean {
  return /^(export|default|public|private|protected|internal|static|async|abstract|final|pub(\(\w+\))?|unsafe|extern|const|inline|virtual|override|partial|sealed|data|open|\s)*\b(function|class|interface|enum|struct|trait|impl|type|def|fn|func|fun|module|namespace|package|object|record|protocol|extension|macro_rules!|sub|proc|CREATE (TABLE|VIEW|FUNCTION))\b/.test(
    line,
  );
}
