import { createContext, Script } from 'node:vm';

const context = createContext({ work: undefined });
const script = new Script('work()');

/**
 * Does work that ends by itself, or is ended: a regular expression that goes back and forth in a text is stopped after this many
 * milliseconds. It must not write anything, and must not wait.
 * @returns undefined where it was ended
 */
export function withinTime<T>(work: () => T, timeout: number): { readonly value: T } | undefined {
  context['work'] = work;
  try {
    return { value: script.runInContext(context, { timeout: Math.max(1, Math.ceil(timeout)) }) as T };
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context['work'] = undefined;
  }
}
