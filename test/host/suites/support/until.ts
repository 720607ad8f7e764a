/** Asks again and again until the answer is not false, empty or absent; gives it. Throws after `timeout` ms, 60 s by itself. */
export async function until<T>(what: string, ask: () => T | Promise<T>, timeout = 60_000): Promise<NonNullable<T>> {
  const end = performance.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`Not within ${timeout / 1000} s: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
