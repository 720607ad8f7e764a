export type Purpose = 'chat' | 'embeddings' | 'audio';

/** What a model seems to be for; `other` for what Parley has no use for, such as images or speech. */
export type ModelPurpose = Purpose | 'other';

const otherNames = /rerank|tts|dall|imag|moderation|guard|diffusion|flux|sora|realtime|babbage|davinci|-ocr|veo|lyria/i;
/** A chat model that also hears is no translator of recordings. */
const hearingNames = /gpt.*audio|audio.*preview|omni/i;
const audioNames = /whisper|transcri|translat.*audio|audio|speech|parakeet|canary|voxtral/i;
const embeddingNames = /embed|bge|gte-|e5-|minilm|nomic|jina|voyage|arctic|mxbai|retriev/i;

/** By its name alone. */
function purposeOfName(model: string): ModelPurpose {
  if (otherNames.test(model)) return 'other';
  if (hearingNames.test(model)) return 'chat';
  if (audioNames.test(model)) return 'audio';
  return embeddingNames.test(model) ? 'embeddings' : 'chat';
}

/** What services write into `type`, `task`, `pipeline_tag` or `capabilities`, the most telling first. */
const statedPurposes: readonly (readonly [RegExp, ModelPurpose])[] = [
  [/embed|feature-extraction|sentence-similarity/i, 'embeddings'],
  [/speech-recognition|speech-to-text|transcri|audio-translation|\bstt\b|\basr\b/i, 'audio'],
  [/chat|\bcompletion\b|text-generation|text2text|language|\b[lv]lm\b/i, 'chat'],
  [/rerank|imag|moderation|video|speech|tts|classif/i, 'other'],
];

/**
 * What a model of a list is for: what the entry says of itself, else what its name tells. Only a hint for sorting and
 * suggesting: nothing is ever hidden by it.
 * @param entry the model as the service lists it, for the members in which services say what a model does
 */
export function guessPurpose(model: string, entry?: unknown): ModelPurpose {
  const stated = statedWords(entry).join(' ');
  return statedPurposes.find(([words]) => words.test(stated))?.[1] ?? purposeOfName(model);
}

function statedWords(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { type, task, pipeline_tag, capabilities } = entry as Record<string, unknown>;
  return [type, task, pipeline_tag, capabilities].flatMap(wordsOf);
}

/** A text, a list of texts, or an object whose members are true for what applies. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((word) => typeof word === 'string');
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([word, applies]) => (applies === true ? [word.replaceAll('_', '-')] : []));
}

interface Guessed {
  readonly id: string;
  readonly purpose: ModelPurpose;
}

/** The models with those that seem to serve the purpose first, the likeliest of them at the top. */
export function sortForPurpose<T extends Guessed>(models: readonly T[], purpose: Purpose): T[] {
  return [...models].sort((a, b) => rank(a, purpose) - rank(b, purpose) || a.id.localeCompare(b.id));
}

/** The model to suggest for a purpose; undefined when none seems to serve it. */
export function suggestModel<T extends Guessed>(models: readonly T[], purpose: Purpose): T | undefined {
  const first = sortForPurpose(models, purpose)[0];
  return first?.purpose === purpose ? first : undefined;
}

function rank({ id, purpose }: Guessed, wanted: Purpose): number {
  if (purpose !== wanted) return 2;
  // Of the models that hear, only the whole Whisper models put other languages into English.
  return wanted === 'audio' && (!/whisper/i.test(id) || /turbo|distil|\.en\b/i.test(id)) ? 1 : 0;
}
