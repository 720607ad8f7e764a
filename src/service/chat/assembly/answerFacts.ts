import { readUsage, type Usage } from '../../answers/usage.ts';
import type { ChatEvent } from '../completion.ts';

/** What the chunks of an answer say beside its choices. */
export interface ChunkFactsReader {
  /** Takes the model's name and what the answer is known by, where they are news. */
  takeIdentity(raw: ChunkFacts): void;
  takeUsage(raw: ChunkFacts): void;
  /** Takes the usage that stands in a choice. */
  takeChoiceUsage(usage: unknown): void;
  /** The last one that was said. */
  readonly usage: Usage | undefined;
}

export interface ChunkFacts {
  id?: unknown;
  created?: unknown;
  model?: unknown;
  system_fingerprint?: unknown;
  usage?: unknown;
  x_groq?: { usage?: unknown } | null;
  done?: unknown;
}

/** The longest name of a model, or id, in characters. */
const maxNameLength = 512;

/** @param tell is given each fact that is news */
export function createAnswerFacts(tell: (event: ChatEvent) => void): ChunkFactsReader {
  let model: string | undefined;
  let usage: Usage | undefined;
  const identity: { id?: string; created?: number; systemFingerprint?: string } = {};

  function takeNews({ id, created, system_fingerprint }: ChunkFacts): void {
    const news: typeof identity = {};
    if (identity.id === undefined && isName(id)) news.id = id;
    if (identity.created === undefined && typeof created === 'number') news.created = created;
    if (identity.systemFingerprint === undefined && isName(system_fingerprint)) {
      news.systemFingerprint = system_fingerprint;
    }
    if (Object.keys(news).length === 0) return;
    Object.assign(identity, news);
    tell({ type: 'identity', ...news });
  }

  return {
    takeIdentity(raw) {
      if (raw.model !== model && isName(raw.model)) {
        model = raw.model;
        tell({ type: 'model', model });
      }
      // Nearly all chunks of an answer come after all is known.
      if (identity.id === undefined || identity.created === undefined || identity.systemFingerprint === undefined) {
        takeNews(raw);
      }
    },
    takeUsage(raw) {
      if (raw.usage !== undefined && raw.usage !== null) usage = readUsage(raw.usage) ?? usage;
      else if (raw.x_groq !== undefined) usage = readUsage(raw.x_groq?.usage) ?? usage;
      else if (raw.done === true) usage = readUsage(raw) ?? usage;
    },
    takeChoiceUsage(given) {
      usage = readUsage(given) ?? usage;
    },
    get usage() {
      return usage;
    },
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxNameLength;
}
