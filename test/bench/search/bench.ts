import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, reserve } from '../../../src/search/vectors/kernel/kernel.ts';
import { createNearestSearch } from '../../../src/search/vectors/nearest.ts';
import { openVectorFiles } from '../../../src/search/vectors/vectorFiles.ts';
import { median } from '../client/statistics.ts';
import { installPeers } from '../peers.ts';
import { type Goal, type Row, toRow } from '../row.ts';
import { ask } from './ask.ts';
import type { Answer } from './askIndex.ts';
import { codeVectors } from './codeVectors.ts';
import { createExact } from './exact.ts';
import { type Engine, lanceDb, plainLoop, sizeOf, sqliteVec } from './peerEngines.ts';
import { createVectors, dimensions, recall, unit } from './vectors.ts';
import { writeIndex } from './writeIndex.ts';

const k = 10;
const modules = join(import.meta.dirname, '../node_modules');
const repository = join(import.meta.dirname, '../../..');
const row = (
  metric: string,
  value: number,
  unitName: string,
  goal?: Goal,
  peer?: { name: string; value: number },
): Row => toRow({ bench: 'search', metric, value, unit: unitName, ...(goal && { goal }), ...(peer && { peer }) });
const atMost = (bound: number): Goal => ({ of: 'value', is: '<=', bound });
const atLeast = (bound: number): Goal => ({ of: 'value', is: '>=', bound });
const sized = (count: number): string => `${count.toLocaleString('en')} × ${dimensions.toLocaleString('en')}`;

/** The vectors of the index beside engines that people use for the same: how fast, how exact, how large. */
export async function benchSearch(tell: (text: string) => void): Promise<Row[]> {
  const missing = await installPeers().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (missing !== undefined) tell(missing);
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    const vectors = new Float32Array(100_000 * dimensions);
    const hundred = await sample(folder, 100_000, 60, tell, (vector, place) => vectors.set(vector, place * dimensions));
    const code = await realCode(folder, tell);
    const ten = await sample(folder, 10_000, 60, tell);
    const larger = growth([ten, hundred, await sample(folder, 1_000_000, 20, tell)]);
    rmSync(join(folder, '1000000'), { recursive: true });
    return [...(await besidePeers(folder, hundred, vectors, tell)), ...code, ...larger];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sample {
  count: number;
  directory: string;
  questions: Float32Array[];
  truth: number[][];
  answer: Answer;
  recall: number;
  /** The time to read the bytes of all signs once, in this run, in milliseconds. */
  readMs: number;
}
/** Writes an index of seeded vectors, and asks it through a worker in another process. */
async function sample(
  folder: string,
  count: number,
  amount: number,
  tell: (text: string) => void,
  keep?: (vector: Float32Array, place: number) => void,
): Promise<Sample> {
  tell(`${sized(count)}: writing an index, and finding the true nearest`);
  const questions = questionsOf(count, amount);
  const exact = await createExact(questions, k);
  const source = createVectors(count);
  let place = 0;
  const directory = join(folder, String(count));
  writeIndex(directory, count, dimensions, () => {
    const vector = unit(source.next());
    exact.add(vector);
    keep?.(vector, place++);
    return vector;
  });
  const answer = ask(directory, questions, k, { rounds: count === 1_000_000 ? 5 : 10 });
  const truth = exact.nearest();
  const reached = recall(truth, answer.found);
  const measured: Sample = { count, directory, questions, truth, answer, recall: reached, readMs: readSigns(count) };
  const told = [`${median(answer.ms).toFixed(2)} ms`, `recall ${measured.recall.toFixed(4)}`];
  tell(
    `  ${[...told, `first ${answer.firstMs.toFixed(0)} ms`, `${(answer.peakBytes / 1e6).toFixed(0)} MB`].join(', ')}`,
  );
  return measured;
}

/** A search for a byte that is not there reads all, and does nothing else. */
function readSigns(count: number): number {
  const bytes = Buffer.alloc((count * dimensions) / 8, 1);
  return timed(count === 1_000_000 ? 20 : 100, () => bytes.indexOf(0));
}

/** A query through the worker costs at most so many times what reading the bytes of the signs once does. */
const besideReading = (sample: Sample): Row =>
  row(
    `${sized(sample.count)}: query p50 through the worker, k = ${k}`,
    median(sample.answer.ms),
    'ms',
    { of: 'ratio', is: '<=', bound: 4 },
    { name: 'reading the bytes of the signs once', value: sample.readMs },
  );

/** Questions near vectors from among the first, so that they are known before all are made. */
function questionsOf(seed: number, amount: number): Float32Array[] {
  const source = createVectors(seed);
  const first = Array.from({ length: amount * 30 }, () => source.next());
  return Array.from({ length: amount }, (_, index) => unit(source.questionFor(first[index * 30] as Float32Array)));
}

async function besidePeers(
  folder: string,
  ours: Sample,
  vectors: Float32Array,
  tell: (text: string) => void,
): Promise<Row[]> {
  const { count } = ours;
  const ms = median(ours.answer.ms);
  const filtered = ask(ours.directory, ours.questions, k, { rounds: 3, files: 250 });
  const rows = [
    besideReading(ours),
    row(`${sized(count)}: recall@${k}`, ours.recall, '', atLeast(0.998)),
    row(`${sized(count)}: open, and the first answer (file cache warm)`, ours.answer.firstMs, 'ms', atMost(400)),
    row(`${sized(count)}: query p50 in a tenth of the files`, median(filtered.ms), 'ms'),
    row(`${sized(count)}: answers within a tenth of the files that are full`, fullness(filtered), '', atLeast(1)),
    row(`${sized(count)}: peak memory of the process`, ours.answer.peakBytes / 1e6, 'MB'),
    row(`${sized(count)}: on disk`, sizeOf(ours.directory) / 1e6, 'MB'),
    ...kernelRows(ours),
  ];
  const beside = async (build: () => Promise<Engine> | Engine, name: string, goal: Goal, rounds: number) => {
    try {
      rows.push(...(await compare(await build(), ours, ms, goal, rounds, tell)));
    } catch (error) {
      rows.push(row(`query p50 beside ${name}, which could not run here: ${String(error).slice(0, 120)}`, ms, 'ms'));
    }
  };
  const thirtyTimes: Goal = { of: 'ratio', is: '<=', bound: 0.0333 };
  await beside(() => plainLoop(vectors), 'a plain loop over float32', thirtyTimes, 20);
  for (const kind of ['float32', 'int8', 'bits + int8'] as const) {
    await beside(() => sqliteVec(vectors, kind, folder), `sqlite-vec, ${kind}`, thirtyTimes, 20);
  }
  tell('LanceDB');
  try {
    const faster: Goal = { of: 'ratio', is: '<=', bound: 1 };
    for await (const engine of lanceDb(vectors, join(folder, 'lance'))) {
      rows.push(...(await compare(engine, ours, ms, faster, engine.name.includes('flat') ? 20 : 60, tell)));
    }
  } catch (error) {
    rows.push(row(`query p50 beside LanceDB, which could not run here: ${String(error).slice(0, 120)}`, ms, 'ms'));
  }
  rows.push(...sizes());
  rmSync(join(folder, 'lance'), { recursive: true, force: true });
  return rows;
}

function fullness(answer: Answer): number {
  return (
    answer.found.filter((places) => places.length === k && places.every((place) => place < 10_000)).length /
    answer.found.length
  );
}

async function compare(
  engine: Engine,
  ours: Sample,
  ms: number,
  goal: Goal,
  amount: number,
  tell: (text: string) => void,
): Promise<Row[]> {
  const questions = ours.questions.slice(0, amount);
  const found: number[][] = [];
  for (const question of questions) found.push(await engine.query(question, k));
  const times: number[] = [];
  for (const question of questions) {
    const before = performance.now();
    await engine.query(question, k);
    times.push(performance.now() - before);
  }
  engine.close();
  const theirs = recall(ours.truth.slice(0, amount), found);
  tell(
    `${engine.name}: ${median(times).toFixed(2)} ms, recall ${theirs.toFixed(4)}, built in ${Math.round(engine.buildMs)} ms`,
  );
  return [
    row(`query p50 beside ${engine.name}`, ms, 'ms', goal, { name: engine.name, value: median(times) }),
    row(
      `recall@${k} beside ${engine.name}`,
      ours.recall,
      '',
      { of: 'ratio', is: '>=', bound: 0.998 },
      { name: engine.name, value: theirs },
    ),
    row(`time to build an index beside ${engine.name}`, 0, 's', undefined, {
      name: engine.name,
      value: engine.buildMs / 1000,
    }),
  ];
}

/** What the kernel does alone: against the time it takes to read the same bytes, and against its twin without SIMD. */
function kernelRows({ directory, questions, count, readMs }: Sample): Row[] {
  const files = openVectorFiles(join(directory, 'vectors-1'), dimensions);
  const stride = dimensions / 8;
  const kernel = createKernel();
  const [signs, distances] = [65_536, 65_536 + count * stride];
  reserve(kernel.memory, distances + count * 2);
  files.readBits(0, count, new Uint8Array(kernel.memory.buffer, signs, count * stride));
  const scan = timed(100, () => kernel.hamming(signs, count, stride, 0, distances));
  const found = [createKernel('simd'), createKernel('plain')].map((each) => {
    const search = createNearestSearch(files, each);
    return questions.map((question) => JSON.stringify(search.find(question, k, count)));
  });
  files.close();
  const same = questions.filter((_, index) => found[0]?.[index] === found[1]?.[index]).length;
  return [
    row(
      `${sized(count)}: scan of the signs`,
      scan,
      'ms',
      { of: 'ratio', is: '<=', bound: 2 },
      { name: 'reading the same bytes', value: readMs },
    ),
    row('answers that are the same with SIMD and without', same / questions.length, '', {
      of: 'value',
      is: '=',
      bound: 1,
    }),
  ];
}

function timed(times: number, work: () => void): number {
  const all = Array.from({ length: times }, () => {
    const before = performance.now();
    work();
    return performance.now() - before;
  });
  return median(all.slice(times / 10));
}

function sizes(): Row[] {
  const ours = sizeOf(join(repository, 'src/search/vectors/kernel')) / 1e6;
  const row2 = (name: string, folders: string[]): Row[] => {
    try {
      const value = folders.reduce((sum, folder) => sum + sizeOf(join(modules, folder)), 0) / 1e6;
      return [row(`installed size beside ${name}`, ours, 'MB', { of: 'ratio', is: '<=', bound: 1 }, { name, value })];
    } catch {
      return [];
    }
  };
  return [
    ...row2('sqlite-vec', ['sqlite-vec', `sqlite-vec-${process.platform}-${process.arch}`]),
    ...row2('LanceDB', ['@lancedb', 'apache-arrow']),
  ];
}

async function realCode(folder: string, tell: (text: string) => void): Promise<Row[]> {
  tell('Vectors of real code');
  const all = codeVectors(join(repository, 'node_modules'), 50_000);
  const vectors = (ofQuestions: boolean): Float32Array[] =>
    all.filter(({ isQuestion }) => isQuestion === ofQuestions).map(({ vector }) => vector);
  const questions = vectors(true);
  const kept = vectors(false);
  const exact = await createExact(questions, k);
  const directory = join(folder, 'code');
  let place = 0;
  writeIndex(directory, kept.length, dimensions, () => {
    const vector = kept[place++] as Float32Array;
    exact.add(vector);
    return vector;
  });
  const answer = ask(directory, questions, k, { rounds: 1 });
  const reached = recall(exact.nearest(), answer.found);
  tell(`  recall ${reached.toFixed(4)}`);
  const metric = `recall@${k} on ${kept.length.toLocaleString('en')} vectors of real code, ${questions.length} questions`;
  return [row(metric, reached, '', atLeast(0.997))];
}

function growth(bySize: readonly Sample[]): Row[] {
  const million = bySize.at(-1) as Sample;
  const large = sized(million.count);
  const ms = ({ answer }: Sample): number => median(answer.ms);
  const megabytes = ({ answer }: Sample): number => answer.peakBytes / 1e6;
  const breaksAt = (goal: string, breaks: (sample: Sample) => boolean): Row =>
    row(`growth: first of these sizes at which ${goal} (0: none)`, bySize.find(breaks)?.count ?? 0, 'vectors');
  return [
    besideReading(million),
    row(`${large}: recall@${k}`, million.recall, '', atLeast(0.998)),
    row(`${large}: peak memory of the process`, megabytes(million), 'MB', atMost(250)),
    row(`${large}: open, and the first answer (file cache warm)`, million.answer.firstMs, 'ms'),
    ...bySize.flatMap((each) => [
      row(`growth: query p50 at ${each.count.toLocaleString('en')}`, ms(each), 'ms'),
      row(`growth: recall@${k} at ${each.count.toLocaleString('en')}`, each.recall, ''),
      row(`growth: peak memory at ${each.count.toLocaleString('en')}`, megabytes(each), 'MB'),
    ]),
    breaksAt('a query takes over 2 ms', (each) => ms(each) > 2),
    breaksAt('a query takes over 15 ms', (each) => ms(each) > 15),
    breaksAt('recall is below 0.998', (each) => each.recall < 0.998),
    breaksAt('the process takes over 250 MB', (each) => megabytes(each) > 250),
    breaksAt('the first answer takes over 400 ms', ({ answer }) => answer.firstMs > 400),
  ];
}
