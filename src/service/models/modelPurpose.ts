export type Purpose = 'chat' | 'embeddings' | 'audio';

/** The purpose a model seems to have; `other` is one that Parley has no use for, such as images or speech. */
export type ModelPurpose = Purpose | 'other';

const otherNames = /rerank|tts|dall|imag|moderation|guard|diffusion|flux|sora|realtime|babbage|davinci|-ocr|veo|lyria/i;
/** Names of chat models that also hear: they are not translators of recordings. */
const hearingNames = /gpt.*audio|audio.*preview|omni/i;
const audioNames = /whisper|transcri|translat.*audio|audio|speech|parakeet|canary|voxtral/i;
const embeddingNames = /embed|bge|gte-|e5-|minilm|nomic|jina|voyage|arctic|mxbai|retriev/i;

/** The purpose by the name alone. */
function purposeOfName(model: string): ModelPurpose {
  if (otherNames.test(model)) return 'other';
  if (hearingNames.test(model)) return 'chat';
  if (audioNames.test(model)) return 'audio';
  return embeddingNames.test(model) ? 'embeddings' : 'chat';
}

/** Values that services write into `type`, `task`, `pipeline_tag` or `capabilities`, the most telling first. */
const statedPurposes: readonly (readonly [RegExp, ModelPurpose])[] = [
  [/embed|feature-extraction|sentence-similarity/i, 'embeddings'],
  [/speech-recognition|speech-to-text|transcri|audio-translation|\bstt\b|\basr\b/i, 'audio'],
  [/chat|\bcompletion\b|text-generation|text2text|language|\b[lv]lm\b/i, 'chat'],
  [/rerank|imag|moderation|video|speech|tts|classif/i, 'other'],
];

/**
 * Guesses the purpose of a listed model: from what its entry says, else from its name. Only a hint for sorting and
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

/** The most words that are read of an entry, and the longest. */
const [mostWords, longestWord] = [100, 200];

/** The words of a text, of a list of texts, or of an object whose members are true for what applies. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.slice(0, longestWord)];
  if (Array.isArray(value))
    return value.slice(0, mostWords).flatMap((word) => (typeof word === 'string' ? wordsOf(word) : []));
  if (typeof value !== 'object' || value === null) return [];
  const words: string[] = [];
  let count = 0;
  for (const word in value) {
    if (count++ === mostWords) break;
    if ((value as Record<string, unknown>)[word] === true) words.push(word.slice(0, longestWord).replaceAll('_', '-'));
  }
  return words;
}

const byName = new Intl.Collator(undefined);

interface Guessed {
  readonly id: string;
  readonly purpose: ModelPurpose;
}

/** The models with those that seem to serve the purpose first, the likeliest of them at the top. */
export function sortForPurpose<T extends Guessed>(models: readonly T[], purpose: Purpose): T[] {
  const ranked = models.map((model) => ({ model, rank: rank(model, purpose) }));
  return ranked.sort((a, b) => a.rank - b.rank || byName.compare(a.model.id, b.model.id)).map(({ model }) => model);
}

/** The model to suggest for a purpose; undefined when none seems to serve it. */
export function suggestModel<T extends Guessed>(models: readonly T[], purpose: Purpose): T | undefined {
  const first = sortForPurpose(models, purpose)[0];
  return first?.purpose === purpose ? first : undefined;
}

function rank({ id, purpose }: Guessed, wanted: Purpose): number {
  if (purpose !== wanted) return 2;
  // Only the whole Whisper models, of those that hear, put other languages into English.
  return wanted === 'audio' && (!/whisper/i.test(id) || /turbo|distil|\.en\b/i.test(id)) ? 1 : 0;
}
