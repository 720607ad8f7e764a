import * as l10n from '@vscode/l10n';
import { ServiceError } from '../../../base/errors.ts';
import type { Engine } from '../../engine.ts';
import type { PublishResult } from '../../team/teamStore.ts';
import type { PublishProgress } from '../../types.ts';
import type { CliContext } from '../cliContext.ts';
import { CliProblem } from '../cliProblem.ts';
import { filesText, numberText } from '../cliText.ts';
import { neededAddress, repositoryNamer } from './cliStore.ts';

/**
 * Checks what the options say of publishing, before anything is read or sent.
 * @throws CliProblem where there is no team index, where texts go without files, or where two folders would be one repository: each would
 * take the place of the other
 */
export async function checkPublishing(
  { args, environment, signal }: Pick<CliContext, 'args' | 'environment' | 'signal'>,
  folders: readonly string[],
): Promise<void> {
  const nameOf = repositoryNamer(environment, args.text('repository'));
  if (args.has('repository') && folders.length > 1) {
    throw new CliProblem(
      l10n.t('With --repository, one folder alone is indexed.'),
      l10n.t('Name one folder, or leave --repository out.'),
    );
  }
  if (!args.has('publish')) {
    if (!args.has('publish-text')) return;
    throw new CliProblem(
      l10n.t('--publish-text has the code go along with what --publish stores.'),
      l10n.t('Give both, or neither of them.'),
    );
  }
  neededAddress(environment);
  const names = await Promise.all(folders.map((folder) => nameOf(folder, signal)));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return;
  throw new CliProblem(
    l10n.t(
      'Two of these folders are the repository {0} in the team index, and each would take the place of the other.',
      twice,
    ),
    l10n.t('Publish one folder at a time, with --repository for one of them.'),
  );
}

/** Publishes what the index has of these folders, where the options say so; undefined where they do not. @throws ServiceError `cancelled` */
export async function publishIndex(
  { args, terminal, signal }: CliContext,
  engine: Engine,
  folders: readonly string[],
): Promise<PublishResult | undefined> {
  if (!args.has('publish')) return undefined;
  const report = ({ files, ofFiles }: PublishProgress): void =>
    terminal.progress(l10n.t('Publishing {0}', l10n.t('{0} of {1}', numberText(files), filesText(ofFiles))));
  const result = await engine.publish(folders, args.has('publish-text'), signal, report);
  if (signal.aborted) throw new ServiceError('cancelled');
  return result;
}
