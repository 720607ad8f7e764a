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

/** `message` of a whole answer, or `delta` of a piece of a stream. Content may be text, null, or an array of parts. */
const messageSchema = z.looseObject({
  content: z.optional(z.unknown()),
  reasoning_content: lenientString,
  reasoning: lenientString,
});

const choiceSchema = z.looseObject({
  index: lenientNumber,
  finish_reason: lenientString,
  message: z.catch(z.nullish(messageSchema), undefined),
  delta: z.catch(z.nullish(messageSchema), undefined),
  text: lenientString,
});
export type Choice = z.infer<typeof choiceSchema>;

export const chatSchema = z.looseObject({
  id: lenientString,
  model: lenientString,
  system_fingerprint: lenientString,
  choices: z.nullish(z.array(choiceSchema)),
  /** Ollama's own form, one line each: `{message: {content}, done}`. */
  message: z.catch(z.nullish(messageSchema), undefined),
  done: z.catch(z.nullish(z.boolean()), undefined),
  usage: z.catch(z.nullish(usageSchema), undefined),
  x_groq: z.catch(z.nullish(z.looseObject({ usage: z.nullish(usageSchema) })), undefined),
});
export type ChatPayload = z.infer<typeof chatSchema>;

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
