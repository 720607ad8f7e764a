import type { NamedTypes, NumberChecks, TextChecks, TypeModel } from './typeModel.ts';
import { commentText, propertyName } from './typeScriptText.ts';

/** The types as schemas of zod, 3 or 4, each with the type that it gives. */
export function zodText({ types, lateNames }: NamedTypes): string {
  const made = types.map(({ name, type, comment }) => {
    const isLate = lateNames.has(name);
    const schema = write(type, '', lateNames);
    // What refers to itself cannot tell its own type.
    const value = isLate
      ? `export const ${name}: z.ZodType = z.lazy(() => ${schema});`
      : `export const ${name} = ${schema};`;
    return `${commentText(comment, '')}${value}\nexport type ${name} = z.infer<typeof ${name}>;\n`;
  });
  return `import { z } from 'zod';\n\n${made.join('\n')}`;
}

function write(type: TypeModel, indent: string, late: ReadonlySet<string>): string {
  const of = (each: TypeModel): string => write(each, indent, late);
  switch (type.kind) {
    case 'any':
      return 'z.unknown()';
    case 'string':
      return `z.string()${textChecks(type.checks)}`;
    case 'number':
      return `z.number()${numberChecks(type.checks)}`;
    case 'literal':
      return type.value === null ? 'z.null()' : `z.literal(${JSON.stringify(type.value)})`;
    case 'array':
      return `z.array(${of(type.item)})${bounds(type.least, type.most)}`;
    case 'tuple':
      return `z.tuple([${type.items.map(of).join(', ')}])${type.rest === undefined ? '' : `.rest(${of(type.rest)})`}`;
    case 'object':
      return writeObject(type, indent, late);
    case 'union':
      return writeUnion(type.of, of);
    case 'both':
      return type.of.map(of).reduce((left, right) => `z.intersection(${left}, ${right})`);
    case 'named':
      return late.has(type.name) ? `z.lazy(() => ${type.name})` : type.name;
    default:
      return `z.${type.kind}()`;
  }
}

function writeUnion(types: readonly TypeModel[], of: (type: TypeModel) => string): string {
  const words = types.flatMap((type) =>
    type.kind === 'literal' && typeof type.value === 'string' ? [type.value] : [],
  );
  if (words.length === types.length) return `z.enum([${words.map((word) => JSON.stringify(word)).join(', ')}])`;
  return `z.union([${types.map(of).join(', ')}])`;
}

function writeObject(
  { members, others }: Extract<TypeModel, { readonly kind: 'object' }>,
  indent: string,
  late: ReadonlySet<string>,
): string {
  const inner = `${indent}  `;
  if (members.length === 0 && others?.kind !== 'never')
    return `z.record(z.string(), ${others === undefined ? 'z.unknown()' : write(others, indent, late)})`;
  const lines = members.map(({ name, type, isRequired, comment }) => {
    const value = isRequired ? write(type, inner, late) : optional(name, write(type, inner, late));
    // In an object literal, this name alone would set the prototype.
    const key = name === '__proto__' ? '["__proto__"]' : propertyName(name);
    return `${commentText(comment, inner)}${inner}${key}: ${value},\n`;
  });
  const own = `z.object({${lines.length === 0 ? '' : `\n${lines.join('')}${indent}`}})`;
  if (others === undefined) return own;
  return others.kind === 'never' ? `${own}.strict()` : `${own}.catchall(${write(others, indent, late)})`;
}

/** For the names that every object inherits, as `toString`, zod takes the inherited function for the member. */
function optional(name: string, schema: string): string {
  if (!(name in Object.prototype) || name === '__proto__') return `${schema}.optional()`;
  return `z.preprocess((value) => (typeof value === 'function' ? undefined : value), ${schema}.optional()).optional()`;
}

const formats: Readonly<Record<string, string>> = {
  email: '.email()',
  uuid: '.uuid()',
  uri: '.url()',
  'date-time': '.datetime({ offset: true })',
};

function textChecks({ least, most, pattern, format = '' }: TextChecks = {}): string {
  const matched = pattern === undefined ? '' : patternCheck(pattern);
  return `${Object.hasOwn(formats, format) ? formats[format] : ''}${bounds(least, most)}${matched}`;
}

/** A pattern that is none is left out: the code would not run. */
function patternCheck(pattern: string): string {
  const flags = ['u', ''].find((each) => {
    try {
      return new RegExp(pattern, each) instanceof RegExp;
    } catch {
      return false;
    }
  });
  return flags === undefined ? '' : `.regex(new RegExp(${JSON.stringify(pattern)}, '${flags}'))`;
}

function numberChecks({ isInteger, least, most, above, below, multipleOf }: NumberChecks = {}): string {
  const call = (name: string, value: number | undefined): string => (value === undefined ? '' : `.${name}(${value})`);
  return [
    isInteger ? '.int()' : '',
    ...[call('min', least), call('max', most), call('gt', above), call('lt', below), call('multipleOf', multipleOf)],
  ].join('');
}

function bounds(least: number | undefined, most: number | undefined): string {
  return `${least === undefined ? '' : `.min(${least})`}${most === undefined ? '' : `.max(${most})`}`;
}
