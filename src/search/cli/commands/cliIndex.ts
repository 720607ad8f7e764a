import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../../base/errors.ts';
import type { EmbeddingModel } from '../../embedding/embeddingModel.ts';
import type { IndexResult, Plan } from '../../engine/engineApi.ts';
import { createEngine, type Engine } from '../../engine.ts';
import type { IndexRecord } from '../../registry/indexRecord.ts';
import type { PublishResult } from '../../team/teamStore.ts';
import type { IndexProgress } from '../../types.ts';
import { type CliContext, foldersOf, type RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { type NamedService, namedService, type OpenModel, openModel } from '../cliService.ts';
import { chunksText, costOf, costText, filesText, hostText, numberText, tokensText } from '../cliText.ts';
import { coverageText, leftOutTexts, progressText } from '../indexFacts.ts';
import { indexToUpdate, recordUpdate } from '../indexPlace.ts';
import { checkPublishing, publishIndex } from '../team/cliPublish.ts';
import { publishedLine, teamLines, teamOf, unpublishedLines } from '../team/cliTeam.ts';

/** `index`: reads folders into their index, and, with a service, asks it for the vectors that are missing. */
export const runCliIndex: RunCommand = async (context) => {
  const { args, cwd, terminal } = context;
  const perMillion = args.number('price-per-million', { least: 0, most: 1_000_000, isWhole: false });
  const service = namedService(args);
  const folders = await foldersOf(cwd, args.positionals);
  await checkPublishing(context, folders);
  const record = await indexToUpdate(context, folders);
  const isDry = args.has('dry-run');
  const onWait = (ms: number | undefined): void => {
    if (ms !== undefined) terminal.progress(l10n.t('Trying again in {0} s', numberText(Math.ceil(ms / 1000))));
  };
  // What is wrong with the key is known before the files are read. Where nothing is sent, no key is asked for.
  const opened =
    service === undefined || isDry ? undefined : await openModel(context, service, { keepsRetrying: true, onWait });
  const engine = createEngine(record.directory, record.cachePath, teamOf(context, args.text('repository')));
  try {
    // A run is too short for the check that goes on behind an open index.
    const damage = engine.check();
    if (damage !== undefined) engine.repair(damage);
    return await update(context, { engine, record, service, opened, isDry, perMillion });
  } finally {
    engine.close();
    await opened?.close();
  }
};

interface Update {
  readonly engine: Engine;
  readonly record: IndexRecord;
  readonly service: NamedService | undefined;
  readonly opened: OpenModel | undefined;
  readonly isDry: boolean;
  readonly perMillion: number | undefined;
}

async function update(context: CliContext, { engine, record, service, opened, isDry, perMillion }: Update) {
  const { args, data, terminal, signal } = context;
  const report = (progress: IndexProgress): void => terminal.progress(progressText(progress));
  const plan = await engine.plan(record.scope, service, signal, report);
  checkSignal(signal);
  await recordUpdate(data, record);
  if (plan.team !== undefined) for (const line of teamLines(plan.team)) terminal.note(line);
  const planned = service && { plan: planJson(plan, service, perMillion) };
  const place = { folders: record.scope.roots, directory: record.directory };
  if (isDry) {
    if (args.has('json')) terminal.json({ ...place, ...planned, isDryRun: true });
    else for (const line of planLines(plan, service, perMillion)) terminal.out(line);
    return exitCode.done;
  }
  if (service !== undefined && plan.pending.chunks > 0) {
    for (const line of planLines(plan, service, perMillion)) terminal.note(line);
    if (!args.has('yes') && !(await isAgreed(context, plan, service))) {
      terminal.note(l10n.t('Nothing was sent. What words find is in the index.'));
      return exitCode.nothing;
    }
  }
  const model = opened && recordedModel(opened.model, () => recordUpdate(data, record, sourceOf(service)));
  const result = await engine.index(record.scope, model, signal, report);
  checkSignal(signal);
  // What was wrong before is said once.
  const { problem } = plan.team ?? {};
  const exchanged = result.team && { ...result.team, ...(result.team.problem === problem && { problem: undefined }) };
  if (exchanged !== undefined) for (const line of teamLines(exchanged)) terminal.note(line);
  const isByMeaning = service !== undefined && engine.status(service).filesDone !== undefined;
  await recordUpdate(data, record, isByMeaning ? sourceOf(service) : undefined);
  const published = await publishIndex(context, engine, record.scope.roots);
  for (const line of published === undefined ? [] : unpublishedLines(published)) terminal.note(line);
  const further = published && { published };
  if (args.has('json')) terminal.json({ ...place, ...planned, result: resultJson(result, service), ...further });
  else for (const line of resultLines(result, service, published)) terminal.out(line);
  return published?.problem === undefined ? exitCode.done : exitCode.problem;
}

function checkSignal(signal: AbortSignal): void {
  if (signal.aborted) throw new ServiceError('cancelled');
}

/** What is recorded of a service: no more of its address than the origin. */
function sourceOf(service: NamedService | undefined): IndexRecord['source'] {
  if (service === undefined) return undefined;
  const { model, documentPrefix, queryPrefix, origin } = service;
  return { model, documentPrefix, queryPrefix, origin };
}

/** The model, which is recorded with its first answer: an index that was stopped after it has vectors of this model, too. */
function recordedModel(model: EmbeddingModel, write: () => Promise<void>): EmbeddingModel {
  let written: Promise<void> | undefined;
  return {
    ...model,
    async embed(texts, signal) {
      const vectors = await model.embed(texts, signal);
      written ??= write();
      await written;
      return vectors;
    },
  };
}

async function isAgreed({ terminal, signal }: CliContext, plan: Plan, { baseUrl }: NamedService): Promise<boolean> {
  if (!terminal.isInteractive) {
    throw new CliProblem(
      l10n.t(
        '{0} would be sent to {1}, and nobody is here to say yes.',
        chunksText(plan.pending.chunks),
        hostText(baseUrl),
      ),
      l10n.t('Add --yes, or look at it with --dry-run first.'),
    );
  }
  const isYes = await terminal.ask(l10n.t('Send this to {0}? [y/N]', hostText(baseUrl)), signal);
  checkSignal(signal);
  return isYes;
}

/** What would be sent, and what is left out. */
function planLines(plan: Plan, service: NamedService | undefined, perMillion: number | undefined): string[] {
  const { pending, known, excluded, isAnew } = plan;
  const has = l10n.t('The index holds {0}.', coverageText(plan));
  const leftOut = leftOutTexts(excluded);
  const rest = leftOut.length === 0 ? [] : [l10n.t('Left out, besides what git ignores: {0}.', leftOut.join(', '))];
  if (service === undefined || pending.chunks === 0) return [has, ...rest, l10n.t('Nothing would be sent.')];
  const cost = costOf(pending.tokens, perMillion);
  const [chunks, files, tokens] = [chunksText(pending.chunks), filesText(pending.files), tokensText(pending.tokens)];
  const { baseUrl, model } = service;
  return [
    has,
    ...rest,
    ...(isAnew ? [l10n.t('The vectors in the index are of another model or length: all are asked for again.')] : []),
    l10n.t(
      'To send: {0} of {1}, about {2}, to {3}, for the model {4}.',
      chunks,
      files,
      tokens,
      hostText(baseUrl),
      model,
    ),
    ...(known > 0 ? [l10n.t('{0} have their vector already.', chunksText(known))] : []),
    ...(cost === undefined ? [] : [l10n.t('That costs about {0}, at the price that was given.', costText(cost))]),
  ];
}

function planJson(plan: Plan, { origin, model }: NamedService, perMillion: number | undefined): object {
  const { pending, known, indexed, coverage, excluded, isAnew = false } = plan;
  const tokens = Math.ceil(pending.tokens);
  const cost = costOf(tokens, perMillion);
  return { origin, model, pending: { ...pending, tokens }, known, indexed, coverage, excluded, isAnew, cost };
}

function resultJson(result: IndexResult, service: NamedService | undefined): object {
  return { ...result, ...(service !== undefined && result.embedded > 0 ? { sentTo: service.origin } : {}) };
}

function resultLines(
  { files, chunks, embedded, reused, skipped, refused = 0 }: IndexResult,
  service: NamedService | undefined,
  published: PublishResult | undefined,
): string[] {
  const held = l10n.t('Indexed {0} in {1}; {2} left out.', filesText(files), chunksText(chunks), filesText(skipped));
  const rest = published === undefined ? [] : [publishedLine(published)];
  const unasked = published === undefined ? l10n.t('Nothing was sent.') : l10n.t('No service was asked.');
  if (service === undefined) return [held, unasked, ...rest];
  return [
    held,
    embedded === 0
      ? unasked
      : l10n.t(
          'Sent to {1}: {0}; without a request: {2}.',
          chunksText(embedded),
          hostText(service.baseUrl),
          chunksText(reused),
        ),
    ...(refused > 0 ? [l10n.t('{0} got no vector; “parley-search report” says why.', chunksText(refused))] : []),
    ...rest,
  ];
}
