/**
 * Runs a task and keeps the person at the terminal informed: silent when it takes less than two seconds, otherwise a line
 * when it is slow, one every five seconds after that, and one at the end.
 */
export async function withProgress<T>(label: string, task: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1000);
  let told = false;
  const tell = () => {
    told = true;
    console.log(`${label} … ${seconds()} s`);
  };
  const first = setTimeout(tell, 2000);
  const ticker = setInterval(tell, 5000);
  try {
    const result = await task();
    if (told) console.log(`${label}: done in ${seconds()} s`);
    return result;
  } finally {
    clearTimeout(first);
    clearInterval(ticker);
  }
}
