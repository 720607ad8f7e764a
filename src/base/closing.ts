/** Tasks to finish before VS Code ends; it waits a few seconds for these alone. */
export interface Closing {
  /** @param task finishes what is under way and writes it down; called once, when VS Code closes or Parley is turned off */
  add(task: () => Promise<unknown>): void;
  /** Resolves when all tasks are done. One that fails keeps no other from being done. */
  run(): Promise<void>;
}

/** @param onFailure told what a task failed with */
export function createClosing(onFailure: (error: unknown) => void): Closing {
  const tasks: (() => Promise<unknown>)[] = [];
  return {
    add: (task) => void tasks.push(task),
    run: async () => {
      await Promise.all(tasks.splice(0).map((task) => task().catch(onFailure)));
    },
  };
}
