/** How the languages of the bench write documentation, bodies and declarations: as much as its questions need. */
export const languages = [
  'C',
  'C#',
  'C++',
  'Go',
  'Haskell',
  'Java',
  'JavaScript',
  'Kotlin',
  'Lua',
  'PHP',
  'Perl',
  'Python',
  'Ruby',
  'Rust',
  'Swift',
  'TypeScript',
] as const;
export type LanguageName = (typeof languages)[number];

export interface Language {
  /** File name endings. */
  files: RegExp;
  /** The start of a line of a comment that may document what follows it. Absent where all are between marks. */
  lineComment?: RegExp;
  /** The start of a comment between marks that documents what follows it. */
  blockComment?: { start: RegExp; end: RegExp };
  /** `below`: the documentation is a string under the first line of the body (Python). */
  documentation: 'above' | 'below';
  /** A line between documentation and declaration: attributes, decorators. */
  attribute?: RegExp;
  /** How a body ends: at the line that closes a bracket, at `end`, or before the first line that is no deeper. */
  body: 'brackets' | 'end' | 'indentation';
  /** Declarations at the start of a line; the first group is the name. */
  declarations: readonly RegExp[];
}

const jsDoc = { start: /^\s*\/\*\*(?!\/)/, end: /\*\// };
const modifiers =
  '(?:(?:public|private|protected|internal|static|final|abstract|sealed|override|virtual|async|open|inline|export|default|declare|readonly|partial|unsafe|data|case|implicit|suspend|mutating|fileprivate|extern|const|synchronized|native|new|annotation|inner|operator|infix|tailrec|lateinit|companion|lazy|strictfp|indirect|convenience|required|class|func)\\s+)*';
const cStyle =
  /^(?!\s)(?!(?:return|else|if|for|while|switch|typedef|using|namespace)\b)[\w:<>,*&\s~]*?[\s*&]\**((?!if|for|while|switch\b)[A-Za-z_]\w{3,})\s*\((?!.*;\s*$)/;
/** The GNU way: the name of a function begins its line, the type stands on the line before. */
const gnuStyle = /^([a-z_]\w{3,}) ?\((?!.*;\s*$)[^"]*$/;
const cTypes = /^\s*(?:typedef\s+)?(?:struct|union|enum)\s+(?:class\s+)?(\w{4,})\s*(?::[^;]*)?(?:\{|$)/;

export const byName: Readonly<Record<LanguageName, Language>> = {
  C: {
    files: /\.[ch]$/,
    blockComment: { start: /^\s*\/\*/, end: /\*\// },
    documentation: 'above',
    body: 'brackets',
    declarations: [cTypes, cStyle, gnuStyle],
  },
  'C++': {
    files: /\.(cc|cpp|cxx|h|hpp|hh|hxx|ipp)$/,
    lineComment: /^\s*\/\/(?!-{3}|={3}|\/{3})[/!]?/,
    blockComment: { start: /^\s*\/\*[*!]/, end: /\*\// },
    documentation: 'above',
    attribute: /^\s*(template\b.*|\[\[.*|#.*|[A-Z_]{4,}(\(.*\))?)$/,
    body: 'brackets',
    declarations: [
      cTypes,
      /^\s*(?:template\s*<.*>\s*)?class\s+(?:[A-Z_]{4,}\s+)?(\w{4,})\s*(?:final\s*)?(?::[^;]*)?(?:\{|$)/,
      cStyle,
    ],
  },
  'C#': {
    files: /\.cs$/,
    lineComment: /^\s*\/\/\/(?!\/)/,
    documentation: 'above',
    attribute: /^\s*\[.*\]\s*$/,
    body: 'brackets',
    declarations: [
      new RegExp(`^\\s*${modifiers}(?:class|interface|struct|enum|record|delegate)\\s+(\\w{4,})`),
      /^\s*(?:public|internal|protected|private)\s+(?:(?:static|virtual|override|abstract|async|sealed|new|extern|unsafe)\s+)*[\w<>[\],.?]+\s+(\w{4,})\s*(?:<[^>]*>)?\s*\(/,
    ],
  },
  Go: {
    files: /\.go$/,
    lineComment: /^\s*\/\/(?!\s*\+build|go:|line|nolint)/,
    documentation: 'above',
    body: 'brackets',
    declarations: [/^func\s+(?:\([^)]*\)\s*)?(\w{4,})\s*[([]/, /^type\s+(\w{4,})\b/],
  },
  Haskell: {
    files: /\.hs$/,
    lineComment: /^\s*--(?!-|\s*\^|\s*\$|\s*\*)/,
    blockComment: { start: /^\s*\{-\s*\|/, end: /-\}/ },
    documentation: 'above',
    attribute: /^\s*\{-#/,
    body: 'indentation',
    declarations: [
      /^(?:data|newtype|class|type)\s+(?:family\s+)?(?:\([^)]*\)\s*=>\s*|\w+ \w+ =>\s*)?([A-Z]\w{3,})/,
      /^([a-z]\w{3,}'*)\s*::/,
    ],
  },
  Java: {
    files: /\.java$/,
    blockComment: jsDoc,
    documentation: 'above',
    attribute: /^\s*@\w+.*$/,
    body: 'brackets',
    declarations: [
      new RegExp(`^\\s*${modifiers}(?:class|interface|enum|@interface|record)\\s+(\\w{4,})`),
      /^\s+(?:(?:public|protected|private|static|final|abstract|synchronized|default)\s+)+(?:<.*?>\s*)?[\w<>[\],.? ]+?\s(\w{4,})\s*\([^;]*$/,
    ],
  },
  JavaScript: {
    files: /\.[cm]?jsx?$/,
    blockComment: jsDoc,
    documentation: 'above',
    body: 'brackets',
    declarations: [
      /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|class)\s+([\w$]{4,})/,
      /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]{4,})\s*=\s*(?:async\s+)?(?:function\b|class\b|\([^()]*\)\s*=>|\w+\s*=>)/,
      /^\s*(?:module\.)?[\w$]+(?:\.prototype)?\.([\w$]{4,})\s*=\s*(?:async\s+)?function\b/,
    ],
  },
  Kotlin: {
    files: /\.kts?$/,
    blockComment: jsDoc,
    documentation: 'above',
    attribute: /^\s*@\w+.*$/,
    body: 'brackets',
    declarations: [
      new RegExp(`^\\s*${modifiers}(?:(?:enum|sealed|value)\\s+)?(?:class|interface|object|typealias)\\s+(\\w{4,})`),
      new RegExp(`^\\s*${modifiers}fun\\s+(?:<[^>]*>\\s*)?(?:[\\w<>?, *]+\\.)?(\\w{4,})\\s*\\(`),
    ],
  },
  Lua: {
    files: /\.lua$/,
    lineComment: /^\s*--(?!\[)/,
    documentation: 'above',
    body: 'end',
    declarations: [
      /^\s*(?:local\s+)?function\s+(?:[\w.]+[.:])?(\w{4,})\s*\(/,
      /^\s*(?:local\s+)?(?:[\w.]+\.)?(\w{4,})\s*=\s*function\b/,
    ],
  },
  PHP: {
    files: /\.php$/,
    blockComment: jsDoc,
    documentation: 'above',
    attribute: /^\s*#\[.*$/,
    body: 'brackets',
    declarations: [
      new RegExp(`^\\s*${modifiers}(?:class|interface|trait|enum)\\s+(\\w{4,})`),
      new RegExp(`^\\s*${modifiers}function\\s+&?(\\w{4,})`),
    ],
  },
  Perl: {
    files: /\.(pm|pl|t)$/,
    lineComment: /^\s*#(?!!|#{3})/,
    blockComment: { start: /^=(?:head[2-4]|item)\b/, end: /^=cut/ },
    documentation: 'above',
    body: 'brackets',
    declarations: [/^\s*sub\s+(\w{4,})/, /^\s*package\s+(?:\w+::)*(\w{4,})\s*[;{]/],
  },
  Python: {
    files: /\.py$/,
    documentation: 'below',
    body: 'indentation',
    declarations: [/^\s*(?:async\s+)?(?:def|class)\s+(\w{4,})/],
  },
  Ruby: {
    files: /\.rb$/,
    lineComment: /^\s*#(?!!)/,
    documentation: 'above',
    body: 'end',
    declarations: [/^\s*(?:class|module)\s+(?:\w+::)*(\w{4,})/, /^\s*def\s+(?:self\.)?(\w{4,}[?!]?)/],
  },
  Rust: {
    files: /\.rs$/,
    lineComment: /^\s*\/\/\/(?!\/)/,
    documentation: 'above',
    attribute: /^\s*#\[.*$/,
    body: 'brackets',
    declarations: [
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern(?:\s+"\w+")?)\s+)*(?:fn|struct|enum|trait|type|union)\s+(\w{4,})/,
      /^\s*macro_rules!\s+(\w{4,})/,
    ],
  },
  Swift: {
    files: /\.swift$/,
    lineComment: /^\s*\/\/\/(?!\/)/,
    blockComment: jsDoc,
    documentation: 'above',
    attribute: /^\s*@\w+.*$/,
    body: 'brackets',
    declarations: [
      new RegExp(`^\\s*${modifiers}(?:class|struct|enum|protocol|actor|typealias)\\s+(\\w{4,})`),
      new RegExp(`^\\s*${modifiers}func\\s+(\\w{4,})`),
    ],
  },
  TypeScript: {
    files: /(?<!\.d)\.[cm]?tsx?$/,
    blockComment: jsDoc,
    documentation: 'above',
    attribute: /^\s*@\w+.*$/,
    body: 'brackets',
    declarations: [
      /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|namespace)\s+([\w$]{4,})/,
      /^\s*(?:export\s+)?const\s+([\w$]{4,})\s*(?::[^=]+)?=\s*(?:async\s+)?(?:function\b|class\b|\([^()]*\)\s*(?::[^=]+)?=>|\w+\s*=>)/,
    ],
  },
};
