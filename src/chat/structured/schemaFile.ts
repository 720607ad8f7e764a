import { isJsonObject } from '../../base/jsonText.ts';
import { longestParameter, type ParameterValue } from '../parameters/parameterForms.ts';
import { jsonFault } from './jsonFault.ts';
import { deepestJson } from './readAnswerJson.ts';
import { remoteReferences } from './schemaReferences.ts';

/** A schema as `response_format` has it, or why a file has none. */
export type SchemaFile =
  | {
      readonly format: ParameterValue;
      /** Addresses of other documents that it refers to. They are not fetched. */
      readonly remote: readonly string[];
    }
  | { readonly problem: 'json' | 'object' | 'long' | 'deep' };

/**
 * Reads a file with a JSON schema. One that has all of `json_schema` in it (`name`, `schema`, `strict`), or all of `response_format`, as
 * examples for services do, is taken as that.
 * @param name by which the schema is sent where the file says none
 */
export function readSchemaFile(text: string, name: string): SchemaFile {
  const json = text.replace(/^\uFEFF/, '');
  if (json.length > 4 * longestParameter) return { problem: 'long' };
  const fault = jsonFault(json, deepestJson);
  if (fault !== undefined) return { problem: fault.isTooDeep ? 'deep' : 'json' };
  const read: unknown = JSON.parse(json);
  if (!isJsonObject(read)) return { problem: 'object' };
  const described = isJsonObject(read['json_schema']) ? read['json_schema'] : read;
  const isNamed = typeof described['name'] === 'string' || typeof described['strict'] === 'boolean';
  const isWrapped = isJsonObject(described['schema']) && isNamed;
  const schema = isWrapped ? described['schema'] : described;
  const own = isWrapped ? described : { name: titleOf(schema) ?? name, schema };
  const ownName = typeof own['name'] === 'string' ? own['name'] : (titleOf(schema) ?? name);
  const format = { type: 'json_schema', json_schema: { ...own, name: sentName(ownName) } };
  if (JSON.stringify(format).length > longestParameter) return { problem: 'long' };
  return { format: format as ParameterValue, remote: remoteReferences(schema) };
}

function titleOf(schema: unknown): string | undefined {
  const title = isJsonObject(schema) ? schema['title'] : undefined;
  return typeof title === 'string' && /[A-Za-z0-9]/.test(title) ? title : undefined;
}

/** Services take letters, digits, `_` and `-`, at most 64. */
function sentName(name: string): string {
  const sent = name.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
  return sent.slice(0, 64) || 'answer';
}

/** What a new file has in it. It also keeps to what services ask for that hold a model to a schema strictly. */
export const exampleSchema = `${JSON.stringify(
  {
    title: 'Summary',
    description: 'What a text says',
    type: 'object',
    properties: {
      title: { type: 'string', description: 'What the text is about, in a few words' },
      points: { type: 'array', description: 'What it says, the most important first', items: { type: 'string' } },
      language: { type: 'string', description: 'The language of the text', enum: ['English', 'German', 'other'] },
    },
    required: ['title', 'points', 'language'],
    additionalProperties: false,
  },
  null,
  2,
)}\n`;
