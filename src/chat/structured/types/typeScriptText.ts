import type { MemberModel, NamedTypes, TypeModel } from './typeModel.ts';

/** The types as declarations of TypeScript. */
export function typeScriptText({ types }: NamedTypes): string {
  return types.map(({ name, type, comment }) => `${commentText(comment, '')}${declaration(name, type)}\n`).join('\n');
}

function declaration(name: string, type: TypeModel): string {
  const isInterface =
    type.kind === 'object' && type.members.length > 0 && (type.others === undefined || type.others.kind === 'never');
  return isInterface ? `export interface ${name} ${write(type, '')}` : `export type ${name} = ${write(type, '')};`;
}

function write(type: TypeModel, indent: string): string {
  switch (type.kind) {
    case 'any':
      return 'unknown';
    case 'literal':
      return JSON.stringify(type.value);
    case 'array': {
      const item = write(type.item, indent);
      return isJoined(type.item) ? `(${item})[]` : `${item}[]`;
    }
    case 'tuple': {
      const items = type.items.map((each) => write(each, indent));
      const rest = type.rest === undefined ? [] : [`...(${write(type.rest, indent)})[]`];
      return `[${[...items, ...rest].join(', ')}]`;
    }
    case 'object':
      return writeObject(type, indent);
    case 'union':
      return type.of.map((each) => inJoin(each, indent)).join(' | ');
    case 'both':
      return type.of.map((each) => inJoin(each, indent)).join(' & ');
    case 'named':
      return type.name;
    default:
      return type.kind;
  }
}

const isJoined = ({ kind }: TypeModel): boolean => kind === 'union' || kind === 'both';
const inJoin = (type: TypeModel, indent: string): string =>
  isJoined(type) ? `(${write(type, indent)})` : write(type, indent);

function writeObject({ members, others }: Extract<TypeModel, { readonly kind: 'object' }>, indent: string): string {
  const inner = `${indent}  `;
  const isOpen = others !== undefined && others.kind !== 'never';
  if (members.length === 0 && others?.kind === 'never') return 'Record<string, never>';
  if (members.length === 0) return `Record<string, ${others === undefined ? 'unknown' : write(others, indent)}>`;
  const lines = members.map(({ name, type, isRequired, comment }: MemberModel) => {
    return `${commentText(comment, inner)}${inner}${propertyName(name)}${isRequired ? '' : '?'}: ${write(type, inner)};\n`;
  });
  const own = `{\n${lines.join('')}${indent}}`;
  return isOpen ? `${own} & Record<string, ${write(others, indent)}>` : own;
}

/** A comment cannot be ended from within. */
export function commentText(comment: string | undefined, indent: string): string {
  return comment === undefined ? '' : `${indent}/** ${comment.replaceAll('*/', '*\\/')} */\n`;
}

/** A name of a member as code has it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : JSON.stringify(name);
}
