import * as z from 'zod/mini';

/**
 * Answers of the service (service-api.md, 2.4 to 2.10), read leniently: a field may be missing, null or of another
 * type where servers are known to differ; what is not understood is left alone.
 */

const lenientNumber = z.catch(z.nullish(z.number()), undefined);
const lenientString = z.catch(z.nullish(z.string()), undefined);

const usageSchema = z.looseObject({
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
  /** Items are checked by hand: `embeddingAnswer.ts` says what is wrong with one. */
  data: z.array(z.looseObject({ index: z.optional(z.unknown()), embedding: z.optional(z.unknown()) })),
  usage: z.catch(z.nullish(usageSchema), undefined),
});
