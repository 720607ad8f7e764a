import { isPlainObject } from '../../base/jsonText.ts';

/**
 * The schema of a tool's arguments as services want it: of an object, with properties. Extensions leave out either for a tool that
 * takes nothing, and one such schema would fail the whole request.
 */
export function completeSchema(schema: unknown): Record<string, unknown> {
  if (!isPlainObject(schema)) return { type: 'object', properties: {} };
  // It names the language of the schema, which some services refuse.
  const { $schema: _, ...rest } = schema;
  const properties = isPlainObject(rest['properties']) ? rest['properties'] : {};
  const required = Array.isArray(rest['required'])
    ? { required: rest['required'].filter((name) => typeof name === 'string') }
    : {};
  const { required: _required, ...others } = rest;
  return { ...others, type: 'object', properties, ...required };
}
