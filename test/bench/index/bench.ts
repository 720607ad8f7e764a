import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { createSearchClient, type SearchClient } from '../../../src/search/worker/searchClient.ts';
import type { Scope } from '../../../src/workspace/fileFilter.ts';
import { rowsOfPart } from '../part.ts';
import type { Row } from '../row.ts';
import type { Bench } from '../run.ts';
import { askAfterSwitch } from './afterSwitch.ts';
import { blockOfIdleThread, parseAndStore } from './alone.ts';
import { type BenchService, copyCode, type Folder, root, smallFolder, startService } from './fixture.ts';
import { inWindowRows } from './inWindow.ts';
import { indexAtPickyServices } from './pickyServices.ts';
import { atMostTimes, most, row } from './rows.ts';
import { askWhileBuilding } from './whileBuilding.ts';

const megabyte = 1e6;

/** An index of real code by a service that answers at once: building, a changed line, a branch, and being killed. */
export const benchIndex: Bench = async (tell) => {
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'ignore' });
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-index-'));
  // As much as 100,000 chunks are.
  const code = copyCode(95 * megabyte);
  const service = await startService();
  const client = createSearchClient(join(root, 'dist/parley-search.cjs'), directory);
  const scope: Scope = { roots: [code.path], maxBytes: megabyte };
  tell(`index: ${code.files.length} files, ${(code.bytes / megabyte).toFixed(1)} MB of code`);
  const told = (rows: Row[]): Row[] => {
    for (const { metric, value, unit, ratio } of rows)
      tell(`  ${metric}: ${value.toFixed(2)} ${unit} (${ratio?.toFixed(2) ?? '–'})`);
    return rows;
  };
  try {
    return [
      ...told(await build(client, scope, service, code)),
      ...told(await changeOneLine(client, scope, service, code)),
      ...told(await switchBranches(client, scope, service, code)),
      ...told(await reopen(client, scope, service)),
      ...told(await askWhileBuilding(service, 10 * megabyte)),
      ...told(await askAfterSwitch(30 * megabyte)),
      ...told(await indexAtPickyServices()),
      ...told(await killOften(tell)),
      ...(await rowsOfPart(tell, 'in VS Code', inWindowRows)),
    ];
  } finally {
    await client.close();
    await service.close();
    code.remove();
    rmSync(directory, { recursive: true, force: true });
  }
};

async function build(client: SearchClient, scope: Scope, service: BenchService, code: Folder): Promise<Row[]> {
  let resident = 0;
  const sampling = setInterval(() => {
    resident = Math.max(resident, process.memoryUsage.rss());
  }, 50);
  const work = watchWork();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const started = performance.now();
  const result = await client.index(scope, service.embeddingModel);
  const seconds = (performance.now() - started) / 1000;
  loop.disable();
  clearInterval(sampling);
  const longest = work.stop();
  const alone = { name: 'tree-sitter and FTS5 alone', value: await parseAndStore(code) };
  const idle = { name: 'an idle thread beside the same build', value: await blockOfIdleThread(code) };
  return [
    row('build: chunks', result.chunks, 'chunks', { of: 'value', is: '>=', bound: 100_000 }),
    row('build: source a second', code.bytes / megabyte / seconds, 'MB/s'),
    row('build: seconds', seconds, 's', atMostTimes(2), alone),
    row('build: longest block of the host thread', loop.max / 1e6, 'ms', atMostTimes(2), idle),
    row('build: of such blocks, the most work of its own', longest, 'ms', most(20)),
    row('build: resident, host and worker together', resident / megabyte, 'MB', most(400)),
  ];
}

/** The most CPU time that the thread takes at a time: on a busy machine, blocks last longer for want of a processor. */
function watchWork(): { stop(): number } {
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let before = used();
  const timer = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

async function changeOneLine(client: SearchClient, scope: Scope, service: BenchService, code: Folder): Promise<Row[]> {
  const name = code.files.find((file) => {
    const lines = readFileSync(join(code.path, file), 'utf8').split('\n').length;
    return lines >= 1000 && lines <= 1100;
  });
  if (name === undefined) throw new Error('No file of about 1,000 lines was copied.');
  const path = join(code.path, name);
  const original = readFileSync(path, 'utf8');
  const sent: number[] = [];
  const times: number[] = [];
  for (let edit = 0; edit < 20; edit++) {
    const word = `zanzibar${edit}`;
    const lines = original.split('\n');
    // Every other one takes the place of a line, which mostly breaks the syntax, as half an edit does.
    lines.splice(40 + edit * 45, edit % 2, `const ${word} = ${edit};`);
    writeFileSync(path, lines.join('\n'));
    let embedMs = 0;
    const timed = async (texts: readonly string[], signal: AbortSignal) => {
      const asked = performance.now();
      const vectors = await service.embeddingModel.embed(texts, signal);
      embedMs += performance.now() - asked;
      return vectors;
    };
    const before = await service.counts();
    const started = performance.now();
    await client.update(scope, [path], { ...service.embeddingModel, embed: timed });
    const { hits } = await client.search(scope.roots, { text: word, limit: 3, globs: [] }, undefined);
    times.push(performance.now() - started - embedMs);
    if (!hits.some((hit) => hit.text.includes(word))) throw new Error('The changed line is not found.');
    sent.push((await service.counts()).texts - before.texts);
    writeFileSync(path, original);
    await client.update(scope, [path], service.embeddingModel);
  }
  return [
    row('one line of 1,000 added or replaced: chunks sent, at most', Math.max(...sent), 'chunks', most(2)),
    row(
      'one line of 1,000 added or replaced: searchable after, without the service, at most',
      Math.max(...times),
      'ms',
      most(200),
    ),
  ];
}

async function switchBranches(client: SearchClient, scope: Scope, service: BenchService, code: Folder): Promise<Row[]> {
  const files = code.files.filter((_, index) => index % 20 === 0).map((file) => join(code.path, file));
  const originals = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const checkOut = async (ending: string): Promise<number> => {
    const before = await service.counts();
    for (const [file, text] of originals) writeFileSync(file, text + ending);
    await client.update(scope, files, service.embeddingModel);
    return (await service.counts()).requests - before.requests;
  };
  const there = await checkOut('\nexport const onTheBranch = true;\n');
  const back = await checkOut('');
  const again = await checkOut('\nexport const onTheBranch = true;\n');
  await checkOut('');
  return [
    row(`a branch that changes ${files.length} files: requests`, there, 'requests'),
    row('back from the branch: requests', back, 'requests', most(0)),
    row('to the branch once more: requests', again, 'requests', most(0)),
  ];
}

async function reopen(client: SearchClient, scope: Scope, service: BenchService): Promise<Row[]> {
  await client.close();
  const started = performance.now();
  const { by } = await client.search(
    scope.roots,
    { text: 'parse a header', limit: 10, globs: [] },
    service.embeddingModel,
  );
  const cold = performance.now() - started;
  const warm: number[] = [];
  for (const text of ['read a file', 'close the socket', 'sort by name', 'escape html', 'decode utf8 bytes']) {
    await client.search(scope.roots, { text, limit: 10, globs: [] }, service.embeddingModel);
    const asked = performance.now();
    await client.search(scope.roots, { text, limit: 10, globs: [] }, service.embeddingModel);
    warm.push(performance.now() - asked);
  }
  if (by !== 'both') throw new Error(`The search went by ${by}.`);
  return [
    row('cold: worker, index and first answer', cold, 'ms', most(400)),
    row('warm: a whole search, words and meaning, ranked', warm.toSorted((a, b) => a - b)[2] ?? Number.NaN, 'ms'),
  ];
}

const kills = 50;

/** Builds are killed at moments spread over their length; what they had said was stored must not be sent again. */
async function killOften(tell: (text: string) => void): Promise<Row[]> {
  const folder = smallFolder(1000);
  let repeated = 0;
  let broken = 0;
  try {
    for (let i = 0; i < kills; i++) {
      const directory = mkdtempSync(join(tmpdir(), 'parley-bench-index-'));
      const stored = await buildUntil(directory, folder, (i * 997) % 990);
      const database = new DatabaseSync(join(directory, 'index.db'));
      if (database.prepare('PRAGMA integrity_check').get()?.['integrity_check'] !== 'ok') broken++;
      database.close();
      const client = createSearchClient(join(root, 'dist/parley-search.cjs'), directory);
      const embed = async (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length, 1, 1, 1));
      const result = await client.index({ roots: [folder], maxBytes: megabyte }, { model: 'm', embed });
      repeated += Math.max(0, result.embedded + stored - 1000);
      if ((await client.status({ model: 'm' })).filesDone !== 1000) broken++;
      await client.close();
      rmSync(directory, { recursive: true, force: true });
      if (i % 10 === 9) tell(`index: killed ${i + 1} builds of ${kills}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    row(`${kills} builds killed: texts sent again that had been stored`, repeated, 'texts', most(0)),
    row(`${kills} builds killed: indexes that were not whole afterwards`, broken, 'indexes', most(0)),
  ];
}

/** Kills a build as soon as it says that more than so many texts are stored; gives how many it had said. */
async function buildUntil(directory: string, folder: string, after: number): Promise<number> {
  const builder = join(root, 'test/support/searchBuild.ts');
  const child = spawn(process.execPath, [builder, directory, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stored = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    stored = Math.max(stored, Number(line));
    if (stored > after) child.kill('SIGKILL');
  }
  return stored;
}
