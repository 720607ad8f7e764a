import * as z from 'zod/mini';

/**
 * Answers of the service (service-api.md, 2.4 to 2.10), read leniently: a field may be missing, null or of another
 * type where servers are known to differ; what is not understood is left alone.
 */

const lenientNumber = z.catch(z.nullish(z.number()), undefined);
const lenientString = z.catch(z.nullish(z.string()), undefined);

export const usageSchema = z.looseObject({
  prompt_tokens: lenientNumber,
  completion_tokens: lenientNumber,
  total_tokens: lenientNumber,
  prompt_time: lenientNumber,
  completion_time: lenientNumber,
  queue_time: lenientNumber,
  total_time: lenientNumber,
});

export const embeddingsSchema = z.looseObject({
  model: lenientString,
  /** What an item holds is looked at by hand: `embeddingAnswer.ts` says what is wrong with it. */
  data: z.array(z.looseObject({ index: z.optional(z.unknown()), embedding: z.optional(z.unknown()) })),
  usage: z.catch(z.nullish(usageSchema), undefined),
});

export const translationSchema = z.looseObject({
  text: z.string(),
  duration: lenientNumber,
  segments: z.catch(
    z.nullish(z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() }))),
    undefined,
  ),
});

/** `{data: [{id}]}`, `{models: [{id | name | model}]}`, or a bare array; an entry may be a plain string. */
const modelSchema = z.union([
  z.string(),
  z.looseObject({ id: lenientString, name: lenientString, model: lenientString }),
]);
export const modelsSchema = z.union([
  z.looseObject({ data: z.array(modelSchema) }),
  z.looseObject({ models: z.array(modelSchema) }),
  z.array(modelSchema),
]);
