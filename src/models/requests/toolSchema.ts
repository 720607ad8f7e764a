import { isPlainObject } from '../../base/jsonText.ts';

/** A schema is completed this deep; services refuse deeper ones. */
const deepest = 32;

/**
 * The schema of a tool's arguments as services want it: of an object, with properties, and lists with items. Extensions leave these
 * out, and one such schema would fail the whole request.
 */
export function completeSchema(schema: unknown): Record<string, unknown> {
  if (!isPlainObject(schema)) return { type: 'object', properties: {} };
  // It names the language of the schema, which some services refuse.
  const { $schema: _, required, ...others } = schema;
  const properties = isPlainObject(others['properties']) ? others['properties'] : {};
  const names = Array.isArray(required) ? { required: required.filter((name) => typeof name === 'string') } : {};
  return { ...others, type: 'object', properties: withItems(properties, 0) as Record<string, unknown>, ...names };
}

/** The same with items for each list that says nothing of them. Members that are values, as those of `enum`, stay. */
function withItems(schema: unknown, depth: number): unknown {
  if (depth > deepest || typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((each) => withItems(each, depth + 1));
  const members = Object.entries(schema).map(([name, value]) =>
    ['enum', 'const', 'default', 'examples'].includes(name) ? [name, value] : [name, withItems(value, depth + 1)],
  );
  const { type, items, prefixItems } = schema as Record<string, unknown>;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const lacksItems = isList && items === undefined && prefixItems === undefined;
  return Object.fromEntries(lacksItems ? [...members, ['items', {}]] : members);
}
