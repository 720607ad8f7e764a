/** Resolves when the condition holds. It gives up after a long while: a test that fails is to end. */
export async function until(condition: () => boolean): Promise<void> {
  const last = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > last) throw new Error(`It never came to be: ${condition}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
