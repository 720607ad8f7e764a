import { isElision } from './elisions.ts';
import { withoutStrings } from './lineStrings.ts';
import { columnsOf, isBlank, normalised } from './lineText.ts';

/** A declaration with all of its lines, such as a function, a class, a rule of CSS, a key of YAML. */
export interface Declaration {
  /** What it is known by: two forms of one declaration have the same key. */
  readonly key: string;
  /** The first line of comments and decorators right above it, from 0. */
  readonly lead: number;
  /** The line that names it. */
  readonly head: number;
  /** The line after its last. */
  readonly end: number;
  /** The index of the declaration around it, in the list of them all; -1 for none. */
  readonly parent: number;
}

/** The kinds of files whose declarations look otherwise than those of most languages. */
export type Dialect = 'code' | 'css' | 'keys' | 'markup' | 'markdown' | 'sql';

export function dialectOf(path: string): Dialect {
  const ending = /\.([\w]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^(?:css|scss|less)$/.test(ending)) return 'css';
  if (/^(?:ya?ml|json[c5]?|toml)$/.test(ending)) return 'keys';
  if (/^(?:html?|xml|vue|svelte|svg)$/.test(ending)) return 'markup';
  if (/^(?:md|mdx|markdown)$/.test(ending)) return 'markdown';
  return ending === 'sql' ? 'sql' : 'code';
}

interface ReadText {
  readonly declarations: readonly Declaration[];
  readonly byKey: ReadonlyMap<string, readonly number[]>;
}

/** Texts that were read already: all code of an answer is placed by the declarations of one file. */
const known = new WeakMap<readonly string[], Map<Dialect, ReadText>>();

/** All declarations of a text, in the order of their heads, those within others too. */
export function findDeclarations(lines: readonly string[], dialect: Dialect): readonly Declaration[] {
  return readOnce(lines, dialect).declarations;
}

/** The indices of a text's declarations, by their keys. */
export function declarationsByKey(lines: readonly string[], dialect: Dialect): ReadText['byKey'] {
  return readOnce(lines, dialect).byKey;
}

function readOnce(lines: readonly string[], dialect: Dialect): ReadText {
  const ofText = known.get(lines) ?? new Map<Dialect, ReadText>();
  known.set(lines, ofText);
  const read = ofText.get(dialect);
  if (read !== undefined) return read;
  const declarations = readDeclarations(lines, dialect);
  const byKey = new Map<string, number[]>(declarations.map(({ key }) => [key, []]));
  for (const [at, { key }] of declarations.entries()) byKey.get(key)?.push(at);
  ofText.set(dialect, { declarations, byKey });
  return { declarations, byKey };
}

function readDeclarations(lines: readonly string[], dialect: Dialect): Declaration[] {
  const found: Declaration[] = [];
  const open: number[] = [];
  for (let head = 0; head < lines.length; head++) {
    const line = lines[head] ?? '';
    if (isBlank(line) || isLead(line)) continue;
    const key = keyOf(line, dialect);
    if (key === undefined) continue;
    const end = endOf(lines, head, dialect);
    // A call that is one line is no declaration of the method that it calls.
    if (key.startsWith('function:?') && end === head + 1 && !/[{}]|=>/.test(line)) continue;
    while (open.length > 0 && (found[open.at(-1) ?? 0]?.end ?? 0) <= head) open.pop();
    found.push({ key: key.replace(':?', ':'), lead: leadOf(lines, head), head, end, parent: open.at(-1) ?? -1 });
    open.push(found.length - 1);
  }
  return found;
}

const modifiers =
  /^(?:(?:export|default|declare|async|public|private|protected|internal|static|final|abstract|override|virtual|readonly|unsafe|extern(?:\s+"[^"]*")?|inline|constexpr|pub(?:\([^)]*\))?|sealed|partial|open|suspend|data|lateinit|fileprivate|mutating|native|synchronized|local)\s+)+/;

/** A longer line, in characters, declares nothing: it is data, or was packed by a program. */
const longestHead = 1_000;

function keyOf(line: string, dialect: Dialect): string | undefined {
  if (line.length > longestHead) return undefined;
  // Of a long run of blanks, a pattern with several optional parts would try each way to divide it.
  const text = line.trim().replace(/\s{2,}/g, ' ');
  if (dialect === 'css') return /[{,]$/.test(text) ? `rule:${normalised(text.replace(/[{,]$/, ''))}` : property(text);
  if (dialect === 'keys') return keyOfData(text);
  if (dialect === 'markup') return keyOfElement(text);
  if (dialect === 'markdown')
    return /^#{1,6} /.test(text) ? `heading:${normalised(text.replace(/^#+/, ''))}` : undefined;
  if (dialect === 'sql') return keyOfStatement(text);
  return keyOfCode(text);
}

function property(text: string): string | undefined {
  const name = /^([\w-]+)\s*:[^:]/.exec(text)?.[1];
  return name === undefined ? undefined : `property:${name}`;
}

function keyOfData(text: string): string | undefined {
  const quoted = /^(?:- )?"([^"]+)"\s*:/.exec(text)?.[1];
  if (quoted !== undefined) return `key:${quoted}`;
  if (/^\[.*\]$/.test(text)) return `section:${text}`;
  const plain = /^(- )?([\w./$-]+)\s*[:=](?:\s|$)(.*)/.exec(text);
  if (plain === null) return undefined;
  return plain[1] === undefined ? `key:${plain[2]}` : `item:${plain[2]}:${plain[3]?.trim()}`;
}

function keyOfElement(text: string): string | undefined {
  const [, tag, rest = ''] = /^<([A-Za-z][\w-]*)([^>]*)/.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const id = /\bid="([^"]+)"/.exec(rest)?.[1];
  if (id !== undefined) return `element:${tag}#${id}`;
  return `element:${rest.trim() === '' && text.includes(`</${tag}>`) ? normalised(text) : `${tag}:${normalised(rest)}`}`;
}

function keyOfStatement(text: string): string | undefined {
  const [, kind, name] =
    /^(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:unique\s+|temp\w*\s+|materialized\s+)*(table|view|function|procedure|index|trigger|type|sequence)\s+(?:if\s+(?:not\s+)?exists\s+)?([\w."]+)/i.exec(
      text,
    ) ?? [];
  return kind === undefined ? undefined : `${kind}:${name}`.toLowerCase();
}

const imports =
  /^(?:import\b(?!\s*\()|from\s+\S+\s+import\b|use\s|using\s(?!\()|#\s*include\b|require(?:_once|_relative)?\b|(?:const|let|var)\s+.*=\s*require\()/;
const named =
  /^(function\*?|def|fn|func|fun|sub|class|struct|enum(?:\s+class)?|union|trait|interface|type|typealias|module|namespace|object|companion\s+object|record|protocol|extension|actor|mod|macro_rules!|defmodule|defp)\s+([\w$.:?!=~]+)/;
const variable = /^(?:const|let|var|val|static|my|our)\s+(?:mut\s+)?(?:[\w<>[\]*&:]+\s+)?([\w$]+)\s*(?::[^=]*)?=(?!=)/;
const control =
  /^(?:if|for|foreach|while|switch|catch|return|else|elif|do|try|with|match|when|guard|unless|until|using|lock|throw|new|await|yield|case|assert|sizeof|typeof|print|echo|defer|go|select)\b/;

function keyOfCode(text: string): string | undefined {
  if (imports.test(text)) return undefined;
  const bare = text.replace(modifiers, '').replace(/^const\s+(?=fn\b|enum\b)/, '');
  const property = /^[\w<>[\],.?]+\s+([A-Z]\w*)\s*(?:=>.*|\{.*)?$/.exec(bare)?.[1];
  if (property !== undefined && bare !== text && !named.test(bare)) return `property:${property}`;
  const receiver = /^func\s+\(\s*\w*\s*\*?\s*([\w.]+)(?:\[[^\]]*\])?\s*\)\s*(\w+)/.exec(bare);
  if (receiver !== null) return `function:${receiver[1]}.${receiver[2]}`;
  if (/^impl\b/.test(bare)) return `impl:${normalised(bare.replace(/\{.*$/, ''))}`;
  const [, word = '', name = ''] = named.exec(bare) ?? [];
  if (word !== '')
    return `${/^(?:function\*?|def|fn|func|fun|sub|defp)$/.test(word) ? 'function' : word.replace(/\s+.*/, '')}:${name.replace(/[:=]+$/, '')}`;
  const assigned = /^([\w.]+)\s*(?:<-|=)\s*(?:async\s+)?function\b/.exec(bare)?.[1];
  if (assigned !== undefined) return `function:${assigned}`;
  const call = /^([\w$.]+)\((['"`])(.*?)\2/.exec(bare);
  if (call !== null && /[{(,]$/.test(text)) return `call:${call[1]}:${call[3]}`;
  const labelled = /^([a-z_]+)((?:\s+"[^"]+")+)\s*\{$/.exec(bare);
  if (labelled !== null) return `section:${labelled[1]}${labelled[2]}`;
  const computed = /^var\s+(\w+)\s*:[^={]+\{/.exec(bare)?.[1];
  if (computed !== undefined) return `variable:${computed}`;
  const value = variable.exec(bare)?.[1];
  if (value !== undefined) return `variable:${value}`;
  if (control.test(bare)) return undefined;
  const method = /^(?:[\w$<>[\],.?*&:~\s]+?[\s*&])?(~?#?[\w$]+(?:::~?[\w$]+)*)\s*(?:<[^>()]*>)?\(/.exec(bare);
  // Whether it is a declaration or a call of it is seen by what follows.
  if (method !== null && !/;$/.test(text) && !/^[\w$.]+\.[\w$]+\(/.test(bare)) return `function:?${method[1]}`;
  return /^constructor\b/.test(bare) ? 'function:constructor' : undefined;
}

/** Whether a line belongs to what follows: a comment, a decorator, an attribute. */
export function isLead(line: string): boolean {
  return isComment(line) || isDecorator(line);
}

export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\[|!\[|\s*(?:include|define|if|endif|else|pragma|undef|import)\b)|--(?!-?>)|<!--|;;|"""|%%)/.test(
    line,
  );
}

export function isDecorator(line: string): boolean {
  return /^\s*(?:@[\w.]+|#!?\[|\[[A-Z]\w*)/.test(line);
}

function leadOf(lines: readonly string[], head: number): number {
  const depth = columnsOf(lines[head] ?? '');
  let lead = head;
  while (lead > 0) {
    const line = lines[lead - 1] ?? '';
    const isInner = /^\s*\*/.test(line);
    if (isBlank(line) || !isLead(line) || isElision(line) || (columnsOf(line) !== depth && !isInner)) break;
    lead -= 1;
  }
  return lead;
}

const closer = /^\s*(?:[}\])]|end\b|<\/|fi\b|done\b|esac\b)/;
const goesOn = /[{([:,]\s*$|=>\s*$|\bthen\s*$|\bdo\s*$/;

/** The line after a declaration's last, by its braces where they end at its own indentation, else by the indentation. */
export function endOf(lines: readonly string[], head: number, dialect: Dialect): number {
  if (dialect === 'markdown') return endOfSection(lines, head);
  if (dialect === 'keys' && /^\[/.test(lines[head] ?? '')) return endOfTable(lines, head);
  if (dialect === 'sql') return endOfStatement(lines, head);
  return endByBraces(lines, head) ?? endByIndentation(lines, head);
}

function endOfSection(lines: readonly string[], head: number): number {
  const level = /^#+/.exec(lines[head] ?? '')?.[0].length ?? 1;
  const next = lines.findIndex((line, at) => at > head && (/^(#{1,6}) /.exec(line)?.[1]?.length ?? 7) <= level);
  const end = next < 0 ? lines.length : next;
  let last = end;
  while (last > head + 1 && isBlank(lines[last - 1] ?? '')) last -= 1;
  return last;
}

/** A statement of SQL ends with the first semicolon that is not within `$$ … $$`. */
function endOfStatement(lines: readonly string[], head: number): number {
  let quote: string | undefined;
  for (let at = head; at < lines.length; at++) {
    const line = lines[at] ?? '';
    for (const mark of line.match(/\$\w*\$/g) ?? []) {
      if (quote === undefined) quote = mark;
      else if (quote === mark) quote = undefined;
    }
    if (quote === undefined && /;\s*$/.test(line)) return at + 1;
  }
  return lines.length;
}

/** A table of TOML goes on to the next one. */
function endOfTable(lines: readonly string[], head: number): number {
  const next = lines.findIndex((line, at) => at > head && (/^\[/.test(line) || isElision(line)));
  let end = next < 0 ? lines.length : next;
  while (end > head + 1 && isBlank(lines[end - 1] ?? '')) end -= 1;
  return end;
}

/** The longest declaration whose braces are counted, in lines. */
const longestCounted = 5_000;

/** What stands at the depth of a declaration's head and belongs to it: before its first brace, and between that and the last. */
const mayFollow = /^\s*(?:[{})\]]|->|:|where\b|throws\b|extends\b|implements\b|#)/;
const isInside =
  /^\s*(?:[}\])]|[\w ]+:\s*$|#|\/\/|\/?\*|case\b|default\b|else\b|catch\b|finally\b|private\b|public\b|protected\b)/;

function endByBraces(lines: readonly string[], head: number): number | undefined {
  const depth = columnsOf(lines[head] ?? '');
  let open = 0;
  let hasOpened = false;
  for (let at = head; at < Math.min(lines.length, head + longestCounted); at++) {
    const line = lines[at] ?? '';
    if (
      at > head &&
      !isBlank(line) &&
      columnsOf(line) <= depth &&
      !(hasOpened && open > 0 ? isInside : mayFollow).test(line)
    )
      return undefined;
    for (const sign of bare(line).match(/[{}()[\]]/g) ?? []) {
      open += '{(['.includes(sign) ? 1 : -1;
      if (sign === '{') hasOpened = true;
    }
    if (!hasOpened && open === 0 && /;\s*$/.test(line)) return at + 1;
    if (!hasOpened || open > 0) continue;
    const isOwn = at === head || columnsOf(line) === depth;
    return open === 0 && isOwn ? at + 1 : undefined;
  }
  return undefined;
}

const bare = (line: string): string => withoutStrings(line).replace(/\/\/.*$/, '');

function endByIndentation(lines: readonly string[], head: number): number {
  const depth = columnsOf(lines[head] ?? '');
  let last = head;
  for (let at = head + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (columnsOf(line) > depth || (/^\s*\{/.test(line) && columnsOf(line) === depth && last === head)) {
      last = at;
      continue;
    }
    if (columnsOf(line) < depth || !closer.test(line)) break;
    last = at;
    if (!goesOn.test(line)) break;
  }
  return last + 1;
}
