import { corpus } from '../../corpus/all.ts';
import type { CorpusCase } from '../../corpus/case.ts';
import { serveCorpus } from '../../corpus/serve.ts';
import { type Row, toRow } from '../row.ts';
import { toTable } from '../table.ts';
import { createAiSdk } from './aiSdk.ts';
import type { Answer, Client } from './answer.ts';
import { judge, type Verdict } from './judge.ts';
import { createGroq, createOpenAi } from './openai.ts';
import { createParley } from './parley.ts';

type Judged = { verdict: Verdict; why: string };

/** A client that has neither answered nor failed after this long has hung. */
const patienceMs = 20_000;

/** Every case of the corpus over a real socket, for Parley and the peers in one run. */
export async function measureCorrectness(tell: (text: string) => void): Promise<Row[]> {
  const clients = [createParley(), await createOpenAi(), await createGroq(), await createAiSdk()];
  const service = await serveCorpus(corpus);
  const judged = new Map<Client, Judged[]>();
  try {
    for (const client of clients) {
      const verdicts: Judged[] = [];
      for (const each of corpus) verdicts.push(await meet(client, each, service.baseUrl(each)));
      judged.set(client, verdicts);
    }
  } finally {
    for (const client of clients) await client.close?.();
    await service.close();
  }
  tell(toTable(['case', ...clients.map(({ name }) => name)], tableRows(clients, judged)));
  for (const [place, { name }] of corpus.entries()) {
    const own = judged.get(clients[0] as Client)?.[place];
    if (own !== undefined && own.verdict !== 'right') tell(`Parley, ${name}: ${own.verdict} (${own.why})`);
  }
  return [...judged].flatMap(([client, verdicts]) => rowsOf(client, verdicts));
}

async function meet(client: Client, each: CorpusCase, baseUrl: string): Promise<Judged> {
  if (!client.offers(each)) return { verdict: 'not offered', why: '' };
  const answer: Answer = { texts: [], reasoning: '', toolCalls: [] };
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('hung')), patienceMs);
  });
  try {
    await Promise.race([client.ask(each, baseUrl, answer), hung]);
    return judge(each, answer, undefined);
  } catch (error) {
    return judge(each, answer, error ?? new Error());
  } finally {
    clearTimeout(timer);
  }
}

function tableRows(clients: readonly Client[], judged: ReadonlyMap<Client, Judged[]>): string[][] {
  const cases = corpus.map(({ name }, place) => [
    name,
    ...clients.map((client) => {
      const { verdict, why } = judged.get(client)?.[place] ?? { verdict: 'not offered', why: '' };
      return why.includes('hung') ? `${verdict} (hung)` : verdict;
    }),
  ]);
  const sums = (['right', 'wrong said', 'wrong silent', 'not offered'] as const).map((verdict) => [
    `sum: ${verdict}`,
    ...clients.map((client) => String(count(judged.get(client) ?? [], verdict))),
  ]);
  return [...cases, ...sums];
}

const count = (verdicts: readonly Judged[], verdict: Verdict): number =>
  verdicts.filter((each) => each.verdict === verdict).length;

/** Parley may have no wrong one; what the peers have is told. */
function rowsOf(client: Client, verdicts: readonly Judged[]): Row[] {
  return (['right', 'wrong said', 'wrong silent'] as const).map((verdict) =>
    toRow({
      bench: 'client',
      metric: `cases ${verdict}, ${client.name}`,
      value: count(verdicts, verdict),
      unit: 'cases',
      ...(client.name === 'Parley' && verdict !== 'right' ? { goal: { of: 'value', is: '=', bound: 0 } } : {}),
    }),
  );
}
