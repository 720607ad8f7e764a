import { createHash } from 'node:crypto';
import type { Thoughts } from '../../service/chat/sentThoughts.ts';

/** Data that a service sent along with a tool call, and may want back. */
export interface CallNotes {
  readonly thoughts?: Thoughts | undefined;
  readonly extraContent?: Readonly<Record<string, unknown>> | undefined;
}

/** A call as VS Code has it, before and after. */
export interface NotedCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/**
 * Notes by call. VS Code gives back the calls that a model made, but not always its thoughts, and some models cannot go
 * on without them. Kept for as long as the window lives, and within a bound: the oldest go first.
 */
export interface ThoughtMemory {
  keep(baseUrl: string, call: NotedCall, notes: CallNotes): void;
  notes(baseUrl: string, call: NotedCall): CallNotes | undefined;
}

interface Entry {
  readonly notes: CallNotes;
  readonly size: number;
}

/** @param most characters, of thoughts and of all other notes */
export function createThoughtMemory(most = 8 * 1024 * 1024): ThoughtMemory {
  const entries = new Map<string, Entry>();
  /** The latest call of an id; undefined for an id that a service gives to many calls. */
  const latest = new Map<string, string | undefined>();
  let size = 0;

  function drop(key: string): void {
    size -= entries.get(key)?.size ?? 0;
    entries.delete(key);
    const id = key.slice(0, key.lastIndexOf(' '));
    if (latest.get(id) === key || latest.size > entries.size * 2) latest.delete(id);
  }

  return {
    keep(baseUrl, call, notes) {
      const id = `${baseUrl} ${call.id}`;
      const key = `${id} ${fingerprint(call)}`;
      if (entries.has(key)) drop(key);
      const { thoughts, extraContent } = notes;
      const details = JSON.stringify([thoughts?.details, extraContent]);
      const entry = { notes, size: key.length + (thoughts?.text.length ?? 0) + details.length };
      if (entry.size > most) return;
      entries.set(key, entry);
      latest.set(id, latest.has(id) && latest.get(id) !== key ? undefined : key);
      size += entry.size;
      for (const oldest of entries.keys()) {
        if (size <= most) break;
        drop(oldest);
      }
    },
    notes(baseUrl, call) {
      const id = `${baseUrl} ${call.id}`;
      // Some agents repair the arguments of a call before they give it back.
      const found = entries.get(`${id} ${fingerprint(call)}`) ?? entries.get(latest.get(id) ?? '');
      return found?.notes;
    },
  };
}

/** Tells apart calls to which a service gave one id, as some do in each turn. */
function fingerprint({ name, input }: NotedCall): string {
  return createHash('sha256')
    .update(`${name} ${JSON.stringify(input)}`)
    .digest('base64url');
}
