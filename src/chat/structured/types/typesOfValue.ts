import { isJsonObject } from '../../../base/jsonText.ts';
import { type MemberModel, type NamedTypes, type TypeModel, typeName, unionOf } from './typeModel.ts';

/** The most items of a list by which the type of its items is told: the first ones. */
const mostItems = 1_000;
/** The most values in all that a type is told by. */
const mostValues = 50_000;
/** Objects with more members than this are tables, whose members are of one type. */
const mostMembers = 100;

/** The type of a value that was read from JSON, as far as one value tells. */
export function typesOfValue(value: unknown, name: string): NamedTypes {
  let values = 0;

  function typeOf(each: unknown): TypeModel {
    if (++values > mostValues) return { kind: 'any' };
    if (each === null) return { kind: 'null' };
    if (Array.isArray(each)) return { kind: 'array', item: merged(each.slice(0, mostItems).map(typeOf)) };
    if (isJsonObject(each)) return typeOfObject(each);
    if (typeof each === 'string' || typeof each === 'boolean') return { kind: typeof each as 'string' | 'boolean' };
    return { kind: 'number' };
  }

  function typeOfObject(value: Record<string, unknown>): TypeModel {
    const entries = Object.entries(value);
    if (entries.length > mostMembers) {
      const item = merged(entries.slice(0, mostItems).map(([, each]) => typeOf(each)));
      return { kind: 'object', members: [], others: entries.length > mostItems ? { kind: 'any' } : item };
    }
    return { kind: 'object', members: entries.map(([name, each]) => ({ name, type: typeOf(each), isRequired: true })) };
  }

  return { types: [{ name: typeName(name), type: typeOf(value) }], lateNames: new Set() };
}

type ObjectModel = Extract<TypeModel, { readonly kind: 'object' }>;

/** One type for several values: objects are one object, whose members are there or not. */
function merged(types: readonly TypeModel[]): TypeModel {
  if (types.length === 0) return { kind: 'any' };
  const objects = types.filter((type): type is ObjectModel => type.kind === 'object' && type.others === undefined);
  const lists = types.filter((type) => type.kind === 'array');
  const others = types.filter(
    (type) => type.kind !== 'array' && !(type.kind === 'object' && type.others === undefined),
  );
  // A list with nothing in it says nothing of the others.
  const items = lists.filter(({ item }) => item.kind !== 'any').map(({ item }) => item);
  return unionOf([
    ...others,
    ...(objects.length === 0 ? [] : [mergedObjects(objects)]),
    ...(lists.length === 0 ? [] : [{ kind: 'array' as const, item: merged(items) }]),
  ]);
}

function mergedObjects(objects: readonly ObjectModel[]): TypeModel {
  const found = new Map<string, MemberModel[]>();
  for (const { members } of objects)
    for (const member of members) {
      const list = found.get(member.name);
      if (list === undefined) found.set(member.name, [member]);
      else list.push(member);
    }
  if (found.size > mostMembers) return { kind: 'object', members: [], others: { kind: 'any' } };
  const members = [...found].map(([name, same]): MemberModel => {
    // An object that was merged before may have it or not.
    const isRequired = same.length === objects.length && same.every((member) => member.isRequired);
    return { name, type: merged(same.map(({ type }) => type)), isRequired };
  });
  return { kind: 'object', members };
}
