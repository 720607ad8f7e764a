import { systemClock } from '../../base/clock.ts';

/** Draws texts that change often, each again only once it was seen as it was drawn before. */
export interface PacedDrawing {
  /** Draws a text, now or as soon as the drawing before it was seen. */
  draw(name: string): void;
  /** Call when a text was seen as it was drawn last. */
  seen(name: string): void;
  /** A text that nobody sees any more. */
  forget(name: string): void;
  dispose(): void;
}

/** A drawing that was not seen for so long, in milliseconds, is not waited for. */
const longestWait = 2_000;

/**
 * VS Code takes a while to show a long text. Drawings that came faster would queue up, and what is typed would wait behind them; so
 * the pause between two is as long as the one before took.
 */
export function createPacedDrawing(drawNow: (name: string) => void, clock = systemClock): PacedDrawing {
  /** When each drawing that was not seen yet began. */
  const begun = new Map<string, number>();
  const wanted = new Set<string>();
  const end = new AbortController();

  /** Forgets the drawing that began then, and draws what was wanted meanwhile. */
  async function endAfter(ms: number, name: string, since: number): Promise<void> {
    await clock.sleep(ms, end.signal);
    if (end.signal.aborted || begun.get(name) !== since) return;
    begun.delete(name);
    if (wanted.has(name)) draw(name);
  }

  function draw(name: string): void {
    if (begun.has(name)) {
      wanted.add(name);
      return;
    }
    const since = clock.now();
    wanted.delete(name);
    begun.set(name, since);
    void endAfter(longestWait, name, since);
    drawNow(name);
  }

  return {
    draw,
    seen(name) {
      const since = begun.get(name);
      if (since !== undefined) void endAfter(clock.now() - since, name, since);
    },
    forget(name) {
      begun.delete(name);
      wanted.delete(name);
    },
    dispose: () => end.abort(),
  };
}
