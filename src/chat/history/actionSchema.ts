import * as z from 'zod/mini';
import { longestSummary } from '../context/summary.ts';
import type { Action } from '../conversation/conversation.ts';
import { longestModel, longestSystemPrompt } from '../parameters/configuration.ts';
import { parameterForms, parameterNames } from '../parameters/parameterForms.ts';

const id = z.string().check(z.minLength(1), z.maxLength(64));
const number = z.optional(z.number());
const text = z.optional(z.string());
const at = z.number();

/** Lines of a file: all that could be attached up to version 0.3. */
const pieceSchema = z.object({
  id: z.string(),
  label: z.string(),
  languageId: z.string(),
  path: z.string(),
  range: z.object({ startLine: z.number(), endLine: z.number() }),
  text: z.string(),
});
/** Of each field whether it is of its kind; what it does not take is left out where it is used. */
const kinds = { number: z.number(), switch: z.boolean(), text, lines: z.json(), json: z.json(), word: z.json() };
const parameters = Object.fromEntries(
  parameterNames.map((name) => [name, z.optional(z.nullable(kinds[parameterForms[name].kind]))]),
);
export const attachmentSchema = z.extend(pieceSchema, {
  kind: text,
  image: z.optional(
    z.object({ type: z.string(), data: z.string(), width: z.number(), height: z.number(), original: text }),
  ),
});
const limit = z.optional(z.object({ remaining: z.number(), limit: number, resetAt: number }));
const model = z.string().check(z.maxLength(longestModel));
/** The most choices that a request asks for. */
const mostChoices = parameterForms.n.most;
/** What one answer was asked with. */
export const askedSchema = z.object({
  preset: z.optional(z.string().check(z.maxLength(longestModel))),
  model: z.optional(model),
  parameters: z.object(parameters),
});
const timings = z.object({ firstTokenMs: number, totalMs: number });
const usage = z.optional(z.record(z.string(), z.number()));
const errorSchema = z.optional(z.looseObject({ kind: z.string() }));
/** What is told of an answer, in an action of ours or in a file of version 0.1. */
const factsSchema = {
  model: text,
  usage,
  finishReason: text,
  declined: z.optional(z.boolean()),
};

const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('create'),
    id,
    at,
    workspace: z.optional(z.object({ uri: z.string(), name: z.string() })),
  }),
  z.object({
    type: z.literal('ask'),
    id,
    parent: z.optional(id),
    text: z.string(),
    attachments: z.array(attachmentSchema),
    label: text,
    at,
  }),
  z.object({ type: z.literal('answer'), id, parent: id, at }),
  z.object({ type: z.literal('append'), id, field: z.enum(['text', 'reasoning']), text: z.string() }),
  z.object({ type: z.literal('rewrite'), id, text: z.string(), reasoning: z.string() }),
  z.object({
    type: z.literal('describe'),
    id,
    facts: z.object({
      ...factsSchema,
      timings: z.optional(timings),
      adjustments: z.optional(z.array(z.looseObject({ field: z.string() }))),
      calls: z.optional(z.array(z.object({ name: z.string(), arguments: z.string() }))),
      systemFingerprint: text,
      hasLogprobs: z.optional(z.boolean()),
      askedWith: z.optional(
        z.object({ model: z.string(), parameters: z.object(parameters), request: z.string().check(z.maxLength(100)) }),
      ),
      replay: z.optional(
        z.object({
          ...{ of: id, words: number, differing: number, firstWord: text, hasOtherBlanks: z.optional(z.boolean()) },
          ...{ isSameRequest: z.boolean(), isSameFingerprint: z.optional(z.boolean()) },
        }),
      ),
      limits: z.optional(z.object({ requests: limit, tokens: limit })),
      retriedAfter: z.optional(z.array(z.number()).check(z.maxLength(100))),
      asked: z.optional(askedSchema),
      missing: z.optional(z.int().check(z.gte(0), z.lte(mostChoices))),
      fork: z.optional(z.object({ at: z.number(), isAnew: z.optional(z.boolean()) })),
    }),
  }),
  z.object({
    type: z.literal('end'),
    id,
    state: z.enum(['complete', 'stopped', 'failed']),
    error: errorSchema,
    totalMs: z.number(),
    at,
  }),
  z.object({ type: z.literal('choose'), id, at }),
  z.object({ type: z.literal('delete'), ids: z.array(id), at }),
  z.object({ type: z.literal('restore'), ids: z.array(id), at }),
  z.object({ type: z.literal('rename'), title: z.string().check(z.maxLength(1000)), at }),
  z.object({ type: z.literal('pin'), isPinned: z.boolean(), at }),
  z.object({
    type: z.literal('configure'),
    model: z.optional(z.nullable(model)),
    systemPrompt: z.optional(z.nullable(z.string().check(z.maxLength(longestSystemPrompt)))),
    parameters: z.optional(z.object(parameters)),
    instructions: z.optional(z.record(z.string().check(z.maxLength(2000)), z.boolean())),
    at,
  }),
  z.object({ type: z.literal('summarise'), upTo: id, text: z.string().check(z.maxLength(longestSummary)), at }),
]);

/** The action, or undefined for anything that is none of ours. */
export function parseAction(value: unknown): Action | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? (parsed.data as Action) : undefined;
}

/** Fails to compile when an action that is kept has no schema. */
type Missing = Exclude<Action['type'], 'presumeCut' | z.infer<typeof schema>['type']>;
export type EveryActionHasASchema = Missing extends never ? true : never;
const complete: EveryActionHasASchema = true;
void complete;
