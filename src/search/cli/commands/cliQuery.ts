import { join, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { placesLimit } from '../../query/hitsByFile.ts';
import { queryLimit, type SearchHit } from '../../query/query.ts';
import type { Why } from '../../query/ranking.ts';
import { type FolderIndex, type OutsideAnswer, openFolderIndex } from '../../registry/folderIndex.ts';
import { sentTo } from '../../registry/windowModel.ts';
import { storageError } from '../../store/storageError.ts';
import { type CliContext, foldersOf, type RunCommand } from '../cliContext.ts';
import { cliErrorText } from '../cliErrors.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { type NamedService, namedService, type OpenModel, openModel } from '../cliService.ts';
import { ageText, filesText, percentText } from '../cliText.ts';
import { progressText } from '../indexFacts.ts';
import { teamOf } from '../team/cliTeam.ts';
import { teamSentence } from '../team/teamSentences.ts';

/** Hits where `--limit` is not given. */
const usualLimit = 10;

/** `query`: searches folders, and writes the hits, the best first. */
export const runCliQuery: RunCommand = async (context) => {
  const { args, cwd, data, terminal, signal } = context;
  const text = args.positionals.join(' ').trim();
  if (text === '') throw new CliProblem(l10n.t('There is nothing to search for.'), l10n.t('Write it after “query”.'));
  const limit = args.number('limit', { least: 1, most: queryLimit, isWhole: true }) ?? usualLimit;
  const service = namedService(args);
  if (service !== undefined && args.has('words')) {
    throw new CliProblem(l10n.t('With --words, no service is asked.'), l10n.t('Leave --words or --url out.'));
  }
  const team = args.has('words') ? undefined : teamOf(context);
  const index = await openFolderIndex(data, await foldersOf(cwd, args.texts('folder')), team);
  let opened: OpenModel | undefined;
  let failure: unknown;
  try {
    opened = service && (await openModel(context, asIndexed(service, index)));
    const staleBy = await bringUpToDate(index, context);
    const model = opened && {
      ...opened.model,
      embed: (texts: readonly string[], abort: AbortSignal) =>
        (opened as OpenModel).model.embed(texts, abort).catch((error: unknown) => {
          failure = error;
          throw error;
        }),
    };
    const query = {
      ...{ text, limit, globs: args.texts('paths') },
      ...(args.has('language') ? { languages: args.texts('language') } : {}),
      changedSince: args.text('changed-since'),
    };
    const found = await index.search(query, signal, args.has('words') ? 'words' : model);
    if (signal.aborted) throw new ServiceError('cancelled');
    const answer = { ...found, hits: found.hits.filter(({ isWeak }, at) => !isWeak || at < placesLimit) };
    const to = opened?.wasSent() ? service?.origin : sentTo(answer);
    if (args.has('json')) terminal.json(await jsonOf(answer, index, to, failure));
    else {
      for (const hit of answer.hits) terminal.out(hitText(hit, cwd));
      for (const note of await notesOf(answer, index, service, to, staleBy)) terminal.note(note);
    }
    if (failure !== undefined) {
      const { sentence, next } = cliErrorText(failure);
      if (!args.has('json')) terminal.note(`${sentence} ${next}`);
      return exitCode.problem;
    }
    return answer.hits.length > 0 ? exitCode.done : exitCode.nothing;
  } finally {
    await opened?.close();
    await index.close();
  }
};

/** The service with what stands before texts in the index, where it is of the same model and the arguments say nothing else. */
function asIndexed(service: NamedService, { record: { source } }: FolderIndex): NamedService {
  if (source?.model !== service.model) return service;
  const { documentPrefix = source.documentPrefix, queryPrefix = source.queryPrefix } = service;
  return { ...service, documentPrefix, queryPrefix };
}

/**
 * Reads what has changed, unless an editor does. An index that cannot be written is asked as it is.
 * @returns why it is not current
 */
async function bringUpToDate(index: FolderIndex, { signal, terminal }: CliContext): Promise<unknown> {
  const hasFiles = index.engine.peek()?.files;
  if (hasFiles && (await index.isOpenInWindow())) return undefined;
  try {
    await index.readFiles(signal, (progress) => terminal.progress(progressText(progress)));
    return undefined;
  } catch (thrown) {
    const error = storageError(thrown);
    if (!hasFiles || !(error instanceof ServiceError) || error.kind !== 'storage') throw error;
    return error;
  }
}

function whyText(why: Why): string {
  const texts: Record<Why, () => string> = {
    words: () => l10n.t('by words'),
    meaning: () => l10n.t('by meaning'),
    both: () => l10n.t('by words and meaning'),
    definition: () => l10n.t('defines it'),
  };
  return texts[why]();
}

/** A hit in one line: where it is, as seen from the folder of the command, why it was found, and the line that shows it. */
function hitText({ root, path, startLine, endLine, why, preview }: SearchHit, cwd: string): string {
  const full = join(root, path);
  const shown = isInside(cwd, full) ? relative(cwd, full) : full;
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return `${shown}:${lines}  ${whyText(why)}  ${preview}`.replaceAll('\n', ' ');
}

/** What is said beside the hits: by which half they were found, of which files, and what was sent. @param to whom the question was sent */
async function notesOf(
  answer: OutsideAnswer,
  index: FolderIndex,
  service: NamedService | undefined,
  to: string | undefined,
  staleBy: unknown,
): Promise<string[]> {
  const { source } = index.record;
  const { leftOut, looked, team } = answer;
  const isOther = service !== undefined && source?.origin !== undefined && source.origin !== service.origin;
  return [
    ...(answer.hits.length === 0 ? [l10n.t('Nothing was found.')] : []),
    ...(answer.words === 'none' ? [l10n.t('There is no word to search for in the question.')] : []),
    ...(leftOut === undefined ? [] : [l10n.t('{0} is left out of the index.', leftOut.path)]),
    ...(looked === undefined ? [] : [l10n.t('{0} % of the code looked through in time.', percentText(looked))]),
    ...(isOther ? [l10n.t('The index is of {0}, and {1} was asked.', source.origin ?? '', service.origin)] : []),
    `${byText(answer, index, service)} ${await coverText(index)}`,
    ...(team?.problem === undefined
      ? []
      : [
          index.record.scope.roots.length > 1
            ? l10n.t('The team index could not be asked about all folders: {0}', teamSentence(team.problem))
            : l10n.t('The team index could not be asked: {0}', teamSentence(team.problem)),
        ]),
    ...(staleBy === undefined
      ? []
      : [l10n.t('What has changed since was not read: {0}', cliErrorText(staleBy).sentence)]),
    to === undefined ? l10n.t('Nothing was sent.') : l10n.t('The question was sent to {0}, and no code.', to),
  ];
}

function byText(answer: OutsideAnswer, { record }: FolderIndex, service: NamedService | undefined): string {
  const { team, indexed } = answer;
  const isTeamAsked = team !== undefined && (team.problem === undefined || team.hits > 0);
  if (answer.by === 'both') {
    if (indexed === undefined) return l10n.t('Found by words and meaning.');
    const share = percentText(indexed);
    if (!isTeamAsked) return l10n.t('Found by words, and by meaning in {0} % of the files.', share);
    return indexed === 0
      ? l10n.t('Found by words, and by meaning with the vectors of the team index.')
      : l10n.t('Found by words, and by meaning in {0} % of the files; for the rest, the team index was asked.', share);
  }
  if (answer.fault === 'length')
    return l10n.t('Found by words only: the vector of the question has another length than those of the index.');
  if (answer.otherModel !== undefined) return l10n.t('Found by words only: the index is of {0}.', answer.otherModel);
  if (answer.by === 'failed') return l10n.t('Found by words only: the question got no vector.');
  if (isTeamAsked) return l10n.t('Found by words only: neither the index nor the team index has vectors that fit.');
  if (record.source === undefined) return l10n.t('Found by words only: the index has no vectors.');
  return service === undefined
    ? l10n.t('Found by words only: for meaning, name its service with --url and --model.')
    : l10n.t('Found by words only.');
}

async function coverText(index: FolderIndex): Promise<string> {
  const { indexed } = index.engine.status();
  const scanned = index.engine.scannedAt();
  const files = filesText(indexed.files);
  if (await index.isOpenInWindow()) return l10n.t('The index has {0}, kept current by an open editor.', files);
  if (scanned === undefined) return l10n.t('The index has {0}, and is not complete yet.', files);
  return l10n.t('The index has {0}, read {1}.', files, ageText(scanned, Date.now()));
}

/** The answer as docs/command-line.md describes it. */
async function jsonOf(
  { stems: _, asked: _asked, ...answer }: OutsideAnswer,
  index: FolderIndex,
  sentTo: string | undefined,
  failure: unknown,
): Promise<unknown> {
  const { record, engine } = index;
  const { indexed, filesDone } = engine.status(record.source);
  const hits = answer.hits.map(({ lines: _lines, ...hit }) => ({ ...hit, score: Number(hit.score.toFixed(4)) }));
  const error = failure instanceof ServiceError ? { error: { kind: failure.kind, ...cliErrorText(failure) } } : {};
  return {
    ...answer,
    sentTo,
    hits,
    index: {
      ...{ directory: record.directory, folders: record.scope.roots, model: record.source?.model },
      ...{ files: indexed.files, filesDone, scannedAt: engine.scannedAt() },
      isOpenInWindow: await index.isOpenInWindow(),
    },
    ...error,
  };
}
