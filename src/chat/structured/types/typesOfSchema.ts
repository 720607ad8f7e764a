import { isJsonObject } from '../../../base/jsonText.ts';
import { createReferences } from '../schemaReferences.ts';
import { type MemberModel, type NamedTypes, type TypeModel, typeName, unionOf } from './typeModel.ts';

/** The most parts of a schema that are written; what follows may be anything. */
const mostParts = 3_000;
const deepest = 60;

type Schema = Readonly<Record<string, unknown>>;

/** The types of a schema: its own, and one for each part that it refers to by name. */
export function typesOfSchema(root: unknown, name: string): NamedTypes {
  const find = createReferences(root);
  const title = isJsonObject(root) && typeof root['title'] === 'string' ? root['title'] : name;
  const rootName = typeName(title);
  const names = new Map<unknown, string>([[root, rootName]]);
  const types: NamedTypes['types'][number][] = [];
  const lateNames = new Set<string>();
  const written = new Set<string>();
  let parts = 0;
  let depth = 0;

  function write(schema: unknown, own: string): void {
    const type = typeOf(schema);
    written.add(own);
    types.push({ name: own, type, ...commentOf(schema) });
  }

  function referred(reference: string): TypeModel {
    const target = find(reference);
    if ('problem' in target) return { kind: 'any' };
    const known = names.get(target.schema);
    if (known !== undefined) {
      if (!written.has(known)) lateNames.add(known);
      return { kind: 'named', name: known };
    }
    if (!isJsonObject(target.schema)) return typeOf(target.schema);
    const own = typeName(reference.split(/[/#]/).at(-1) ?? '', new Set(names.values()));
    names.set(target.schema, own);
    write(target.schema, own);
    return { kind: 'named', name: own };
  }

  function typeOf(schema: unknown): TypeModel {
    if (schema === false) return { kind: 'never' };
    if (!isJsonObject(schema) || depth >= deepest || ++parts > mostParts) return { kind: 'any' };
    depth++;
    const type = typeOfObject(schema);
    depth--;
    return type;
  }

  function typeOfObject(schema: Schema): TypeModel {
    const { $ref: reference, allOf, anyOf, oneOf } = schema;
    const all: TypeModel[] = [];
    if (typeof reference === 'string') all.push(referred(reference));
    all.push(ownType(schema, typeOf));
    for (const each of Array.isArray(allOf) ? allOf : []) all.push(typeOf(each));
    for (const forms of [anyOf, oneOf])
      if (Array.isArray(forms) && forms.length > 0) all.push(unionOf(forms.map((each) => typeOf(each))));
    const of = all.filter(({ kind }) => kind !== 'any');
    const [only] = of;
    const type: TypeModel = of.length > 1 ? { kind: 'both', of } : (only ?? { kind: 'any' });
    return schema['nullable'] === true && type.kind !== 'any' ? unionOf([type, { kind: 'null' }]) : type;
  }

  write(root, rootName);
  return { types, lateNames };
}

type TypeOf = (schema: unknown) => TypeModel;

/** What a schema says by itself, without the others that it names. */
function ownType(schema: Schema, typeOf: TypeOf): TypeModel {
  if (Object.hasOwn(schema, 'const')) return literal(schema['const']);
  const { enum: values, type, properties, items, prefixItems, additionalProperties, required } = schema;
  if (Array.isArray(values)) return unionOf(values.map(literal));
  if (Array.isArray(type)) return unionOf(type.map((each) => ofType(String(each), schema, typeOf)));
  if (typeof type === 'string') return ofType(type, schema, typeOf);
  const isObject = [properties, additionalProperties].some((each) => each !== undefined) || Array.isArray(required);
  if (isObject) return ofType('object', schema, typeOf);
  return items !== undefined || prefixItems !== undefined ? ofType('array', schema, typeOf) : { kind: 'any' };
}

function ofType(type: string, schema: Schema, typeOf: TypeOf): TypeModel {
  switch (type) {
    case 'string':
      return { kind: 'string', checks: textChecks(schema) };
    case 'number':
    case 'integer':
      return { kind: 'number', checks: numberChecks(schema, type === 'integer') };
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'array':
      return arrayType(schema, typeOf);
    case 'object':
      return objectType(schema, typeOf);
    default:
      return { kind: 'any' };
  }
}

function arrayType({ items, prefixItems, additionalItems, minItems, maxItems }: Schema, typeOf: TypeOf): TypeModel {
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  const others = Array.isArray(items) ? additionalItems : items;
  if (first === undefined)
    return { kind: 'array', item: typeOf(others ?? true), least: count(minItems), most: count(maxItems) };
  const rest = others === false ? undefined : typeOf(others ?? true);
  // A tuple is of its full length, which a list of the schema need not be.
  const isFull = typeof minItems === 'number' && minItems >= first.length;
  const types = first.map((each) => typeOf(each));
  if (isFull) return { kind: 'tuple', items: types, rest };
  return { kind: 'array', item: unionOf(rest === undefined ? types : [...types, rest]) };
}

function objectType({ properties, required, additionalProperties }: Schema, typeOf: TypeOf): TypeModel {
  const needed = new Set(Array.isArray(required) ? required : []);
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  const members = named.map(([name, schema]): MemberModel => {
    return { name, type: typeOf(schema), isRequired: needed.has(name), ...commentOf(schema) };
  });
  const known = new Set(named.map(([name]) => name));
  const more = [...needed].filter((name) => typeof name === 'string' && !known.has(name));
  for (const name of more) members.push({ name, type: { kind: 'any' }, isRequired: true });
  const others =
    additionalProperties === undefined || additionalProperties === true ? undefined : typeOf(additionalProperties);
  return { kind: 'object', members, ...(others && { others }) };
}

function literal(value: unknown): TypeModel {
  return typeof value === 'object' && value !== null
    ? { kind: 'any' }
    : { kind: 'literal', value: value as string | number | boolean | null };
}

const count = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);
const bound = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function textChecks({ minLength, maxLength, pattern, format }: Schema) {
  return { least: count(minLength), most: count(maxLength), pattern: text(pattern), format: text(format) };
}

function numberChecks(schema: Schema, isInteger: boolean) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return {
    isInteger,
    least: bound(minimum),
    most: bound(maximum),
    above: bound(exclusiveMinimum),
    below: bound(exclusiveMaximum),
    multipleOf: bound(multipleOf),
  };
}

/** The longest comment, in characters. */
const longestComment = 200;

function commentOf(schema: unknown): { readonly comment?: string } {
  const description = isJsonObject(schema) ? schema['description'] : undefined;
  if (typeof description !== 'string') return {};
  const line = description.slice(0, longestComment).replace(/\s+/g, ' ').trim();
  return line === '' ? {} : { comment: line };
}
