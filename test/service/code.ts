/** What little the service knows about programming languages. */

export interface CodeBlock {
  language: string;
  code: string;
}

/** The fenced blocks of a Markdown text, without their fences. */
export function findCodeBlocks(markdown: string): CodeBlock[] {
  const fences = markdown.matchAll(/^(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n([\s\S]*?)\n?^\1[ \t]*$/gm);
  return [...fences].map(([, , language = '', code = '']) => ({ language, code }));
}

/** The text around the fenced blocks: what the person wrote. */
export function withoutCodeBlocks(markdown: string): string {
  return markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1[ \t]*$/gm, '').trim();
}

/** A fence longer than any run of backticks in the code. */
export function fence({ language, code }: CodeBlock): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${code}\n${ticks}`;
}

const DEFINITIONS = [
  /\bfunction\s*\*?\s*(\w+)/,
  /^\s*(?:async\s+)?def\s+(\w+)/,
  /^\s*func\s+(?:\([^)]*\)\s*)?(\w+)/,
  /\bfn\s+(\w+)/,
  /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^=]*=>|function|\w+\s*=>)/,
  /^\s*(\w+)\s*\(\)\s*\{/,
  /^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function)\s+(?:if\s+not\s+exists\s+)?(\w+)/i,
  /^\s*(?:export\s+)?(?:abstract\s+|public\s+|final\s+)*(?:class|interface|struct|record)\s+(\w+)/,
  /^\s*(?:[\w<>[\],*]+\s+)+\*?(\w+)\s*\([^;]*\)\s*(?:throws\s+\w+\s*)?\{/,
  /^\s*(?:async\s+)?(\w+)\s*\([^;]*\)\s*(?::[^={]+)?\{\s*$/,
];
const NOT_NAMES = new Set('if for while switch catch else return function match with async await do new'.split(' '));

/** Names the code defines, with the line (from 0) of each. */
export function findDefinitions(code: string): { name: string; line: number }[] {
  return code.split('\n').flatMap((text, line) => {
    for (const pattern of DEFINITIONS) {
      const name = pattern.exec(text)?.[1];
      if (name && !NOT_NAMES.has(name)) return [{ name, line }];
    }
    return [];
  });
}

/** The words of the first comment that stands at the beginning of a line: in most files it says what the file, or its main part, is for. */
export function docText(code: string): string {
  const [block = ''] = /^(?:\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|(?:(?:\/\/|#(?!!)|--).*\n?)+)/m.exec(code) ?? [];
  return block
    .replace(/^\s*(?:\/\*+!?|\*\/|\*|\/\/[/!]?|#|--|""")/gm, '')
    .replace(/\*\/|"""/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A line and those that follow it further in, and the line that closes them. @param most how many lines at most */
export function takeBlock(lines: readonly string[], from: number, most = Number.POSITIVE_INFINITY): string {
  return lines
    .slice(from, Math.min(endOfBlock(lines, from), from + most))
    .join('\n')
    .trimEnd();
}

/** The line after the block that begins at a line. */
export function endOfBlock(lines: readonly string[], from: number): number {
  const depth = (line: string) => line.length - line.trimStart().length;
  const own = depth(lines[from] ?? '');
  const after = lines.findIndex(
    // The last line of a head of several, `): Berth {`, is no end.
    (line, i) => i > from && line.trim() !== '' && depth(line) <= own && !/^\s*\).*\{$/.test(line),
  );
  if (after < 0) return lines.length;
  return after + (/^\s*[\])}]/.test(lines[after] ?? '') ? 1 : 0);
}

/** A comment of one line in the language's own syntax. */
export function comment(language: string, text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (/^(?:py|python|sh|bash|shell|shellscript|rb|ruby|ya?ml|toml|makefile|dockerfile|r)$/i.test(language)) {
    return `# ${line}`;
  }
  if (/^(?:sql|lua|haskell)$/i.test(language)) return `-- ${line}`;
  if (/^(?:css|scss|less)$/i.test(language)) return `/* ${line} */`;
  if (/^(?:html|xml|markdown|md|vue|svelte)$/i.test(language)) return `<!-- ${line} -->`;
  return `// ${line}`;
}

/** A comment that the language's tools take for documentation. */
export function docComment(language: string, text: string): string {
  if (
    /^(?:ts|tsx|js|jsx|typescript|typescriptreact|javascript|javascriptreact|java|c|cpp|php|kotlin)$/i.test(language)
  ) {
    return `/** ${text} */`;
  }
  if (/^(?:rs|rust)$/i.test(language)) return `/// ${text}`;
  return comment(language, text);
}

/** Puts a line above line `at`, as far in as that line. */
export function insertAbove(code: string, at: number, line: string): string {
  const lines = code.split('\n');
  const indent = /^[ \t]*/.exec(lines[at] ?? '')?.[0] ?? '';
  lines.splice(at, 0, indent + line);
  return lines.join('\n');
}

/** `loadTideTable` → "load tide table". */
export function spell(name: string): string {
  return name
    .replace(/_/g, ' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .trim();
}

const LANGUAGES: Record<string, string> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  typescript: 'TypeScript',
  typescriptreact: 'TypeScript',
  js: 'JavaScript',
  javascript: 'JavaScript',
  py: 'Python',
  python: 'Python',
  go: 'Go',
  rs: 'Rust',
  rust: 'Rust',
  java: 'Java',
  c: 'C',
  sh: 'shell',
  shellscript: 'shell',
  sql: 'SQL',
  css: 'CSS',
};

/** How people write the name of a language whose id is given. */
export function spellLanguage(id: string): string {
  return LANGUAGES[id.toLowerCase()] ?? id;
}
