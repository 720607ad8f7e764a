/** What holds of every edit: a line leaves a file only where the answer names it. Random files, and answers made of them. */
import fc from 'fast-check';
import { applyLineEdits } from '../../src/edits/place/lines/lineEdit.ts';
import { type EditPlan, planAnswer, planCode, planEdit } from '../../src/edits/plan.ts';

/** A declaration of a random file: each of its lines is in no other. */
interface Part {
  readonly name: string;
  readonly kind: 'function' | 'method' | 'constant' | 'class';
  readonly lines: readonly string[];
  readonly members: readonly Part[];
}

type Language = 'ts' | 'py' | 'go';

/** What an answer does with a declaration. */
type Change = 'taken' | 'changed' | 'renamed' | 'doubled' | 'cut' | 'added' | 'left out' | 'elided';

export interface RandomEdit {
  readonly language: Language;
  readonly parts: readonly Part[];
  readonly changes: readonly Change[];
  readonly way: 'answer' | 'apply' | 'edit';
  /** The parts that are selected, for an edit. */
  readonly selected: readonly [number, number];
  readonly instruction: string;
}

const changes: readonly Change[] = ['taken', 'changed', 'renamed', 'doubled', 'cut', 'added', 'left out', 'elided'];

/** Random files with random answers. */
export const randomEdits: fc.Arbitrary<RandomEdit> = fc
  .record({
    language: fc.constantFrom<Language>('ts', 'py', 'go'),
    shapes: fc.array(fc.tuple(fc.constantFrom('function', 'class', 'constant'), fc.nat(4), fc.nat(3)), { minLength: 1, maxLength: 7 }),
    changes: fc.array(fc.constantFrom(...changes), { minLength: 7, maxLength: 7 }),
    way: fc.constantFrom<RandomEdit['way']>('answer', 'apply', 'edit'),
    selected: fc.tuple(fc.nat(6), fc.nat(6)),
    instruction: fc.constantFrom('', 'make it faster', 'remove name1', 'add a function like name0'),
    areAlike: fc.boolean(),
  })
  .map(({ shapes, language, selected, areAlike, ...rest }) => {
    let count = 0;
    const parts = shapes.map(([kind, size, members]) => {
      const index = count++;
      if (kind === 'class' && language !== 'go')
        return makeClass(language, index, Array.from({ length: members + 1 }, () => makeFunction(language, count++, size, areAlike, '  ')));
      if (kind === 'constant') return makeConstant(language, index);
      return makeFunction(language, index, size, areAlike, '');
    });
    const [a, b] = selected.map((at) => at % parts.length) as [number, number];
    return { ...rest, language, parts, selected: [Math.min(a, b), Math.max(a, b)] as const };
  });

function makeFunction(language: Language, index: number, size: number, areAlike: boolean, indent: string): Part {
  const name = `name${index}`;
  // Bodies that look alike, but for one number, are what models shorten most.
  const body = Array.from({ length: size + 1 }, (_, at) => `step(${areAlike ? at : `${index}, ${at}`}, mark${index});`);
  const isMember = indent !== '';
  const inner = indent + (language === 'go' ? '\t' : '  ');
  const heads = {
    ts: isMember ? `${indent}${name}(a: number): number {` : `export function ${name}(a: number): number {`,
    py: `${indent}def ${name}(${isMember ? 'self, ' : ''}a):`,
    go: `func ${name}(a int) int {`,
  };
  const end = language === 'py' ? `return use(a, mark${index})` : `return use(a, mark${index});`;
  const lines = [heads[language], ...[...body, end].map((line) => inner + (language === 'py' ? line.replace(/;$/, '') : line))];
  return { name, kind: isMember ? 'method' : 'function', lines: language === 'py' ? lines : [...lines, `${indent}}`], members: [] };
}

function makeClass(language: Language, index: number, members: readonly Part[]): Part {
  const name = `Name${index}`;
  const inner = members.flatMap(({ lines }, at) => (at === 0 ? lines : ['', ...lines]));
  const lines = language === 'py' ? [`class ${name}:`, ...inner] : [`export class ${name} {`, ...inner, '}'];
  return { name, kind: 'class', lines, members };
}

function makeConstant(language: Language, index: number): Part {
  const lines = { ts: `export const NAME${index} = mark${index};`, py: `NAME${index} = mark${index}`, go: `var NAME${index} = mark${index}` };
  return { name: `NAME${index}`, kind: 'constant', lines: [lines[language]], members: [] };
}

const separated = (parts: readonly (readonly string[])[]): string[] => parts.flatMap((lines, at) => (at === 0 ? [...lines] : ['', ...lines]));

/** The lines of the file. */
export function fileOf({ parts }: Pick<RandomEdit, 'parts'>): string[] {
  return separated(parts.map(({ lines }) => lines));
}

/** What an answer shows of a part, and the names that it gives whole. */
function shown(part: Part, change: Change, { language, way }: RandomEdit): { lines: readonly string[]; named: readonly string[] } {
  const remark = language === 'py' ? '#' : '//';
  const inner = part.kind === 'method' ? '    ' : language === 'go' ? '\t' : '  ';
  const edited = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/use\(a, /, 'useMore(a, ').replace(/= mark/, '= more + mark'));
  const all = [part.name, ...part.members.map(({ name }) => name)];
  const [member] = part.members;
  switch (change) {
    case 'taken':
      return { lines: part.lines, named: all };
    case 'changed':
      return { lines: edited(part.lines), named: all };
    case 'renamed':
      // All of a selection under other names is that selection anew.
      return {
        lines: part.lines.map((line) => line.replace(part.name, `other${part.name}`)),
        named: way === 'edit' ? all : [],
      };
    case 'doubled':
      return { lines: [...edited(part.lines), '', ...part.lines], named: all };
    case 'cut':
      if (member !== undefined) {
        const end = language === 'py' ? [] : ['}'];
        return { lines: [part.lines[0] ?? '', ...edited(member.lines), ...end], named: [member.name] };
      }
      return { lines: part.lines.slice(0, Math.max(1, part.lines.length - 2)), named: [part.name] };
    case 'added':
      return { lines: makeFunction(language, 90, 1, false, '').lines, named: [] };
    case 'elided':
      if (part.lines.length < 3) return { lines: part.lines, named: all };
      return {
        lines: [part.lines[0] ?? '', `${inner}${remark} ... existing code ...`, ...(language === 'py' ? [] : [part.lines.at(-1) ?? ''])],
        named: [],
      };
    default:
      return { lines: [], named: [] };
  }
}

/** Plans an edit, and tells the lines that it takes away without a name: none. */
export async function unnamedLosses(edit: RandomEdit): Promise<string[]> {
  const { parts, way, selected, instruction } = edit;
  const [from, to] = selected;
  const chosen = way === 'edit' ? parts.slice(from, to + 1) : parts;
  const given = chosen.map((part, at) => shown(part, edit.changes[at % edit.changes.length] ?? 'taken', edit));
  const code = separated(given.map(({ lines }) => lines).filter((lines) => lines.length > 0)).join('\n');
  if (code.trim() === '') return [];
  const file = fileOf(edit);
  const plan = await planOf(edit, code, file, parts, instruction);
  if (plan.kind !== 'edits' || plan.files.length === 0) return [];
  const after = new Set(plan.files.flatMap(({ edits }) => applyLineEdits(file, edits)));
  const named = new Set([...given.flatMap((each) => each.named), ...(/^remove (\w+)/.exec(instruction) ?? []).slice(1)]);
  return parts.flatMap((part) => lostOf(part, named, after));
}

/** The lines of a part, and of its members, that are gone though the answer does not give what they belong to. */
function lostOf(part: Part, named: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  if (part.members.length > 0) return part.members.flatMap((member) => lostOf(member, named, after));
  if (named.has(part.name)) return [];
  // Lines that others have, too, may be those of others.
  return part.lines.filter((line) => /mark\d/.test(line) && !after.has(line));
}

function planOf(
  { language, way, selected }: RandomEdit,
  code: string,
  file: readonly string[],
  parts: readonly Part[],
  instruction: string,
): Promise<EditPlan> {
  const path = `src/random.${language}`;
  const fenced = `\`${path}\`:\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
  if (way === 'answer') return planAnswer({ text: fenced, isCut: false, mayBeCut: false }, new Map([[path, file]]), instruction);
  if (way === 'apply') return planCode(code, { path, lines: file }, 0);
  const [from, to] = selected;
  const first = separated(parts.slice(0, from).map(({ lines }) => lines)).length + (from > 0 ? 1 : 0);
  const last = separated(parts.slice(0, to + 1).map(({ lines }) => lines)).length - 1;
  return planEdit({ text: `\`\`\`${language}\n${code}\n\`\`\``, finishReason: 'stop' }, { path, lines: file, selection: { first, last } }, new Map(), instruction);
}

/** Tries so many random edits; throws with the smallest that breaks the rule. */
export async function checkEdits(count: number, seed: number): Promise<void> {
  const rule = fc.asyncProperty(randomEdits, async (edit) => {
    const lost = await unnamedLosses(edit);
    if (lost.length > 0) throw new Error(`Lost, and not named: ${lost.join(' | ')}`);
  });
  await fc.assert(rule, { numRuns: count, seed });
}
