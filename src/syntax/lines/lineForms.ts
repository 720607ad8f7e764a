/** How names are found in the lines of a text that has no grammar. */
export interface LineForms {
  /** Each is tried in turn until one fits a line; what its groups find are names. */
  forms: readonly RegExp[];
  /** What a line of comment begins with. */
  comment: RegExp;
  /** What opens a comment or a text over several lines, at the start of a line, and what closes it. */
  blocks: readonly (readonly [open: string, close: string])[];
  /** In a page, code stands only between these. */
  within?: readonly [open: RegExp, close: RegExp];
}

/** The forms of a language, and the endings of its files. */
export type LanguageForms = readonly [endings: string, LineForms];

/** Parts of the patterns, by the word that stands for them in braces. All repetitions are bounded. */
const parts: Readonly<Record<string, string>> = {
  NAME: '([\\p{L}_$][\\p{L}\\p{N}_$]{0,99})',
  DASHED: '([\\p{L}_*+-][\\p{L}\\p{N}_*+-]{0,99})',
  // `Acme.Shop::` before a name.
  PATH: '(?:[\\p{L}_$][\\p{L}\\p{N}_$]{0,60}(?:\\.|::?)){0,9}',
  TYPED: '(?:<[^>]{0,100}>\\s{0,9})?',
  MODS:
    '(?:(?:export|default|pub(?:\\([a-z]{1,9}\\))?|public|private|fileprivate|protected|internal|static|async|abstract|final|unsafe|' +
    'extern|const|constexpr|inline|noinline|virtual|override|partial|sealed|data|open|value|case|implicit|lazy|suspend|operator|' +
    'infix|tailrec|external|annotation|inner|actual|expect|lateinit|mutating|nonisolated|indirect|required|convenience|weak|' +
    'declare|transparent|opaque|mutable|base|readonly|native|late|local|redef)\\s{1,9}){0,6}',
  ATTRS: '(?:@[\\w.]{1,60}(?:\\([^()]{0,80}\\))?\\s{1,9}){0,3}',
  // What follows a declared name, other than the next word of a sentence.
  END: '(?=\\s{0,9}(?:$|[({\\[:=<;,>|])|\\s{1,9}(?:extends|implements|with|is|as|where|for|does|begin|do|from|on|permits)\\b)',
};

/** A pattern for the start of a line, with the parts above put in. */
export function form(pattern: string, flags = ''): RegExp {
  const whole = pattern.replace(/\{([A-Z]+)\}/g, (all, word: string) => parts[word] ?? all);
  return new RegExp(`^\\s{0,60}${whole}`, `u${flags}`);
}

/** A pattern for a line without indentation. */
export function atMargin(pattern: string): RegExp {
  return form(`(?<!\\s)${pattern}`);
}

const keyword = form(
  '{ATTRS}{MODS}(?:function\\*?|class|interface|enum(?:\\s{1,9}(?:class|struct))?|struct|union|trait|def|fn|func|fun|module|namespace|package|' +
    'object|record|protocol|actor|extension|macro_rules!|sub|proc|typealias|type)\\s{1,9}(?:\\([^)]{0,80}\\)\\s{0,9})?{TYPED}{PATH}{NAME}{END}',
);
const impl = form('impl(?:<[^>]{0,80}>)?\\s{1,9}(?:{PATH}{NAME}[^{]{0,80}?\\s{1,9}for\\s{1,9})?{PATH}{NAME}');
const define = form('#\\s{0,9}define\\s{1,9}{NAME}');
/** `const name = (…) =>`, `exports.name = function`, `name: async (…) =>`. */
const assigned = form(
  '(?:(?:export|const|let|var|static|readonly|public|private|protected|final|local)\\s{1,9}){0,4}{PATH}{NAME}\\s{0,9}[:=]\\s{0,9}(?:async\\s{1,9})?' +
    '(?:function\\b|class\\b|\\([^()]{0,200}\\)\\s{0,9}(?::[^=]{1,80})?=>|[\\p{L}_$][\\p{L}\\p{N}_$]{0,60}\\s{0,9}=>)',
);
/** A function and its body: `private static Type name(…) {`, but not a call that takes a function. */
const body = form(
  '(?:(?:export|default|public|private|protected|internal|static|async|override|final|abstract|virtual|readonly|get|set|inline|external|factory)\\s{1,9}){0,6}' +
    '(?!(?:return|await|new|throw|yield|else|case|assert)\\b)(?:[\\w<>[\\],.*&?]{1,80}\\s{1,9})??[*#]?{NAME}\\s{0,9}(?:<[^>]{0,100}>)?' +
    '\\((?:(?!=>|\\bfunction\\b)[^;]){0,250}\\{\\s{0,9}$',
);

/** The forms that most languages share. */
export const common: readonly RegExp[] = [keyword, impl, define, assigned, body];

/** Comments as in C, and documentation between triple quotes. */
export const slashed: Omit<LineForms, 'forms'> = {
  comment: /^(?:\/\/|\/\*.*\*\/\s*$|\*(?:[\s/]|$))/,
  blocks: [
    ['/*', '*/'],
    ['"""', '"""'],
  ],
};
/** Comments from `#`. */
export const hashed: Omit<LineForms, 'forms'> = {
  comment: /^#/,
  blocks: [
    ['"""', '"""'],
    ["'''", "'''"],
    ['=begin', '=end'],
    ['=pod', '=cut'],
    ['=head', '=cut'],
  ],
};
/** Comments from `--`. */
export const dashed: Omit<LineForms, 'forms'> = {
  comment: /^--/,
  blocks: [
    ['--[[', ']]'],
    ['{-', '-}'],
    ['/*', '*/'],
  ],
};
/** Any of the usual comments, for a text of an unknown language. */
export const anyComment: Omit<LineForms, 'forms'> = {
  comment: /^(?:\/\/|\/\*.*\*\/\s*$|\*(?:[\s/]|$)|#(?!\s{0,9}define\b)|--|;|%)/,
  blocks: slashed.blocks,
};
