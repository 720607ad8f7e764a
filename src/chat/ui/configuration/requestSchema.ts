import { l10n } from 'vscode';
import {
  type ParameterForm,
  type ParameterKind,
  type ParameterName,
  parameterForms,
  parameterNames,
} from '../../parameters/parameterForms.ts';
import { parameterDetail, parameterValues } from './parameterTexts.ts';

/** The types of the kinds whose values are not free in form. */
const types: { readonly [Kind in ParameterKind]?: string | readonly string[] } = {
  switch: 'boolean',
  text: 'string',
  lines: ['string', 'array'],
  word: ['string', 'object'],
};

/** The schema of what a conversation is asked with, for VS Code's help with JSON. */
export function requestSchema(): string {
  const fields = parameterNames.map((name) => [name, fieldSchema(name)] as const);
  const model = { type: 'string', description: l10n.t('The model that answers') };
  return JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: { model, ...Object.fromEntries(fields) },
  });
}

function fieldSchema(name: ParameterName) {
  const { kind, least, most, isInteger, words }: ParameterForm = parameterForms[name];
  const description = `${parameterDetail(name)}. ${parameterValues(name)}`;
  if (kind === 'number') return { type: isInteger ? 'integer' : 'number', minimum: least, maximum: most, description };
  // A format is an object, of which the drawer takes the type alone.
  if (name === 'response_format') return { ...formatSchema(words ?? []), description };
  return { type: types[kind], ...(words && { examples: words }), description };
}

function formatSchema(words: readonly string[]) {
  const type = { type: 'string', examples: [...words, 'json_schema'] };
  return { type: 'object', required: ['type'], properties: { type, json_schema: { type: 'object' } } };
}
