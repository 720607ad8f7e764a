import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { createEngine } from '../../engine.ts';
import { sharedFileEnding } from '../../team/sharedFile/sharedLayout.ts';
import { foldersOf, type RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { chunksText, sizeText } from '../cliText.ts';
import { knownIndex } from '../indexFacts.ts';

/** `export`: writes the vectors of an index into a file for others who have the same code. */
export const runCliExport: RunCommand = async ({ args, cwd, data, terminal, signal }) => {
  const to = args.text('to');
  if (to === undefined) {
    throw new CliProblem(
      l10n.t('It is not said where the file goes.'),
      l10n.t('Give it as --to {0}.', `vectors${sharedFileEnding}`),
    );
  }
  const { directory, source, scope } = await knownIndex(data, await foldersOf(cwd, args.positionals));
  if (source === undefined) {
    throw new CliProblem(
      l10n.t('The index has no vectors that could be shared.'),
      l10n.t('Get them with “parley-search index”, --url and --model.'),
    );
  }
  const [path, key] = [resolve(cwd, to), args.text('sign')];
  const engine = createEngine(directory);
  try {
    terminal.progress(l10n.t('Writing the file…'));
    const signWith = key === undefined ? undefined : resolve(cwd, key);
    const { vectors, without, bytes } = await engine.exportVectors(source, path, signal, signWith);
    const isSigned = signWith !== undefined;
    if (args.has('json')) {
      terminal.json({ folders: scope.roots, path, model: source.model, vectors, without, bytes, isSigned });
      return exitCode.done;
    }
    terminal.out(
      l10n.t(
        'The vectors of {0}, of the model {1}, are in {2} ({3}).',
        ...[chunksText(vectors), source.model],
        path,
        sizeText(bytes),
      ),
    );
    if (without > 0) terminal.note(l10n.t('Without a vector yet: {0}.', chunksText(without)));
    return exitCode.done;
  } finally {
    engine.close();
  }
};
