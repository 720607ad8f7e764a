import * as l10n from '@vscode/l10n';
import type { TeamExchange } from '../../engine/engineApi.ts';
import { createTeamIndex, type TeamIndex } from '../../team/teamIndex.ts';
import { openTeamStore, type PublishResult } from '../../team/teamStore.ts';
import type { CliContext } from '../cliContext.ts';
import { chunksText, filesText } from '../cliText.ts';
import { repositoryNamer, storeAddress } from './cliStore.ts';
import { teamNext, teamSentence } from './teamSentences.ts';

/**
 * The index of a team, where the environment names its database.
 * @param named the name of the repository, in place of the one that its remote or the environment gives
 * @throws CliProblem for a name that is none
 */
export function teamOf({ environment }: Pick<CliContext, 'environment'>, named?: string): TeamIndex | undefined {
  const address = storeAddress(environment);
  if (address === undefined) return undefined;
  const nameOf = repositoryNamer(environment, named);
  return createTeamIndex(async (root, signal) =>
    openTeamStore({ address, repository: await nameOf(root, signal) }, signal),
  );
}

/** What was exchanged, and why not all of it. */
export function teamLines({ taken, given, problem }: TeamExchange): string[] {
  return [
    ...(taken > 0 ? [l10n.t('From the team index: the vectors of {0}.', chunksText(taken))] : []),
    ...(given > 0 ? [l10n.t('To the team index: the vectors of {0}.', chunksText(given))] : []),
    ...(problem === undefined
      ? []
      : [`${teamSentence(problem)} ${teamNext(problem, l10n.t('The next run makes up for it.'))}`]),
  ];
}

/** What was published. */
export function publishedLine({ stored, forgotten }: PublishResult): string {
  return l10n.t('Published to the team index: {0} stored, {1} forgotten.', filesText(stored), filesText(forgotten));
}

/** Why not all was published. */
export function unpublishedLines({ refused, problem }: PublishResult): string[] {
  const again = l10n.t('Run it again: what was stored stays, and it goes on there.');
  return [
    ...(refused === 0 ? [] : [l10n.t('The path of {0} is longer than the team index takes.', filesText(refused))]),
    ...(problem === undefined
      ? []
      : [`${l10n.t('Not all was published.')} ${teamSentence(problem, 'write')} ${teamNext(problem, again, 'write')}`]),
  ];
}
