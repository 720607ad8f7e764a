import type { Disposable } from 'vscode';

/** Things to dispose together. One that is added after that is disposed at once. */
export class Disposables implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  /** Adds an item and gives it back. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items) item.dispose();
    this.#items.clear();
  }
}
