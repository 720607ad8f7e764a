import { isCancelled } from '../../base/errors.ts';
import type { NoVector } from '../../service/client.ts';
import type { EmbedItem } from '../store/files/chunkReader.ts';

/** A text that the service cannot take, and the error that it was refused with. */
export interface TextRefusal {
  readonly hash: Uint8Array;
  readonly error: unknown;
}

/** Texts that may have to be left out of a run: each for its own sake, or all because the service takes no text any more. */
export interface TextRefusals {
  /** A request begins. Gives its mark for `answered`. */
  begin(): number;
  /** A request has been answered: the texts that were refused before it began were refused for their own sake. */
  answered(began: number): Promise<void>;
  /** Whether the service takes a plain text now. */
  takesText(): Promise<boolean>;
  /** A text was refused alone. Gives whether it is the service that is at fault. */
  add(item: EmbedItem, error: unknown): Promise<boolean>;
  /** All has been sent. Gives the error of the service where it is at fault. */
  end(): Promise<unknown>;
}

/** Texts that are refused in a row until the service is asked for one that every model takes. */
const mostInARow = 8;

const plainText = 'text';

/**
 * @param ask asks for the vector of one text
 * @param keepRefused called with texts that the service cannot take, though it takes others
 */
export function createTextRefusals(
  ask: (text: string) => Promise<Float32Array | NoVector>,
  keepRefused: (texts: readonly TextRefusal[]) => unknown = () => undefined,
): TextRefusals {
  let time = 0;
  let waiting: (TextRefusal & { readonly at: number })[] = [];

  async function settle(before: number): Promise<void> {
    const settled = waiting.filter(({ at }) => at < before);
    waiting = waiting.filter(({ at }) => at >= before);
    if (settled.length > 0) await keepRefused(settled.map(({ hash, error }) => ({ hash, error })));
  }

  async function takesText(): Promise<boolean> {
    const began = ++time;
    try {
      if (!((await ask(plainText)) instanceof Float32Array)) return false;
    } catch (error) {
      if (isCancelled(error)) throw error;
      return false;
    }
    await settle(began);
    return true;
  }

  return {
    begin: () => ++time,
    answered: settle,
    takesText,
    async add({ hash }, error) {
      waiting.push({ hash, error, at: ++time });
      return waiting.length >= mostInARow && !(await takesText());
    },
    async end() {
      const error = waiting.at(-1)?.error;
      return error === undefined || (await takesText()) ? undefined : error;
    },
  };
}
