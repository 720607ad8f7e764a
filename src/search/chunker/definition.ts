/** Whether a line starts something that has a name, in any of the usual languages. */
export function isDefinition(line: string): boolean {
  return /^(export|default|public|private|protected|internal|static|async|abstract|final|pub(\(\w+\))?|unsafe|extern|const|inline|virtual|override|partial|sealed|data|open|\s)*\b(function|class|interface|enum|struct|trait|impl|type|def|fn|func|fun|module|namespace|package|object|record|protocol|extension|macro_rules!|sub|proc|CREATE (TABLE|VIEW|FUNCTION))\b/.test(
    line,
  );
}
