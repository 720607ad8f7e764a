import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { grammarFor, parserOf } from '../../../src/syntax/grammars.ts';
import { type Folder, root } from './fixture.ts';

/** Longer files are not parsed by the index either; in UTF-16 units. */
const longestParsed = 250_000;

/**
 * The least that an index of these files costs: each is read, parsed with tree-sitter and written into a table of FTS5, by one
 * thread, with nothing cut, hashed, sent or kept beside it. In seconds.
 */
export async function parseAndStore(code: Folder): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-alone-'));
  const database = new DatabaseSync(join(folder, 'words.db'));
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE words USING fts5(path, text, tokenize = 'porter unicode61')`,
    );
    const insert = database.prepare('INSERT INTO words (path, text) VALUES (?, ?)');
    // The grammars are loaded before, as the index has them after its first files.
    for (const file of code.files) await parserOf(grammarFor(file) ?? 'javascript');
    const started = performance.now();
    for (let at = 0; at < code.files.length; at += 100) {
      database.exec('BEGIN');
      for (const file of code.files.slice(at, at + 100)) {
        const text = readFileSync(join(code.path, file), 'utf8');
        const grammar = text.length > longestParsed ? undefined : grammarFor(file);
        const tree = grammar === undefined ? undefined : (await parserOf(grammar))?.parse(text);
        tree?.delete();
        insert.run(file, text);
      }
      database.exec('COMMIT');
    }
    return (performance.now() - started) / 1000;
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The longest that a thread of its own, which does nothing, is kept waiting while an index of the same files is built in another
 * process: what the machine itself does to any thread. In milliseconds.
 */
export async function blockOfIdleThread(code: Folder): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-alone-'));
  const loop = monitorEventLoopDelay({ resolution: 1 });
  try {
    const builder = spawn(
      process.execPath,
      [join(root, 'test/support/searchBuild.ts'), directory, code.path, 'whole'],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    loop.enable();
    const [status] = (await once(builder, 'exit')) as [number | null];
    loop.disable();
    if (status !== 0) throw new Error(`The build beside an idle thread ended with ${status}.`);
    return loop.max / 1e6;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
