/** Milliseconds after which ages, such as “3 minutes ago”, are told anew. */
export const agesEveryMs = 60_000;

/** Has ages told anew each minute, as long as somebody sees them. Gives what ends that. */
export function keepAgesFresh(isVisible: () => boolean, tell: () => void): () => void {
  const timer = setInterval(() => isVisible() && tell(), agesEveryMs);
  return () => clearInterval(timer);
}
