import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { systemClock } from '../../../base/clock.ts';
import { ServiceError } from '../../../base/errors.ts';
import { createEngine, type Engine } from '../../engine.ts';
import type { IndexRecord } from '../../registry/indexRecord.ts';
import { fetchSharedFile, isAddress } from '../../team/sharedFile/fetchSharedFile.ts';
import { readSharedHeader } from '../../team/sharedFile/readSharedFile.ts';
import { sharedFileError } from '../../team/sharedFile/sharedLayout.ts';
import type { ImportResult } from '../../team/sharedFile/shareVectors.ts';
import { type CliContext, foldersOf, type RunCommand } from '../cliContext.ts';
import { CliProblem, exitCode } from '../cliProblem.ts';
import { chunksText, hostText, percentText, sizeText } from '../cliText.ts';
import { progressText } from '../indexFacts.ts';
import { indexToUpdate, recordUpdate } from '../indexPlace.ts';

/** `import`: reads folders into their index, and takes their vectors from a shared file. No service is asked. */
export const runCliImport: RunCommand = async (context) => {
  const { args, cwd, data, terminal, signal } = context;
  const from = args.text('from');
  if (from === undefined) {
    throw new CliProblem(
      l10n.t('It is not said which file is taken.'),
      l10n.t('Give it as --from, with the path or the https address of a file that “export” wrote.'),
    );
  }
  const publicKey = await keyIn(args.text('verify'), cwd);
  const record = await indexToUpdate(context, await foldersOf(cwd, args.positionals));
  const isAway = isAddress(from);
  const path = isAway ? await fetched(context, from, record.directory) : resolve(cwd, from);
  let engine: Engine | undefined;
  try {
    // What is no such file is refused before thousands of files are read.
    await readSharedHeader(path);
    engine = createEngine(record.directory, record.cachePath);
    const damage = engine.check();
    if (damage !== undefined) engine.repair(damage);
    const result = await take(context, engine, record, { path, publicKey });
    const { model, documentPrefix, origin } = result.header;
    const source = record.source ?? (result.taken > 0 ? { model, documentPrefix, origin } : undefined);
    await recordUpdate(data, record, source);
    if (signal.aborted) throw new ServiceError('cancelled');
    const place = { folders: record.scope.roots, directory: record.directory };
    if (args.has('json')) terminal.json({ ...place, from: isAway ? hostText(from) : path, ...result });
    else tell(context, result);
    return result.taken + result.known > 0 || result.without === 0 ? exitCode.done : exitCode.nothing;
  } finally {
    engine?.close();
    if (isAway) rmSync(path, { force: true });
  }
};

async function fetched({ terminal, signal }: CliContext, url: string, folder: string): Promise<string> {
  // undici is loaded only where something is asked for.
  const { createTransport, readCertificates } = await import('../../../service/transport/transport.ts');
  const transport = createTransport({ clock: systemClock, certificates: readCertificates });
  try {
    return await fetchSharedFile(transport, url, folder, signal, (done, of) =>
      terminal.progress(l10n.t('Downloading: {0} of {1}', sizeText(done), sizeText(of))),
    );
  } finally {
    await transport.close();
  }
}

/** Brings the texts of the index up to date first: only what it has now can be compared with the file. */
async function take(
  { args, data, terminal, signal }: CliContext,
  engine: Engine,
  record: IndexRecord,
  file: { readonly path: string; readonly publicKey: string | undefined },
): Promise<ImportResult> {
  await engine.plan(record.scope, record.source, signal, (progress) => terminal.progress(progressText(progress)));
  if (signal.aborted) throw new ServiceError('cancelled');
  await recordUpdate(data, record);
  terminal.progress(l10n.t('Reading the file…'));
  const isOfAnyService = args.has('any-service');
  return engine.importVectors({ ...file, source: record.source, isOfAnyService }, signal, ({ taken, of }) =>
    terminal.progress(l10n.t('Taking vectors: {0} %', percentText(of === 0 ? 1 : taken / of))),
  );
}

function tell({ terminal }: CliContext, { header, signature, taken, known, without }: ImportResult): void {
  terminal.out(l10n.t('From the file: the vectors of {0}, of the model {1}.', chunksText(taken), header.model));
  if (known > 0) terminal.out(l10n.t('With one already: {0}.', chunksText(known)));
  if (without > 0) {
    terminal.out(l10n.t('Without one: {0}.', chunksText(without)));
    terminal.note(l10n.t('“parley-search index” with --url and --model asks a service for them alone.'));
  }
  if (signature === 'unchecked') terminal.note(l10n.t('The file is signed; --verify with a public key checks it.'));
}

async function keyIn(path: string | undefined, cwd: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch {
    throw sharedFileError('bad-key');
  }
}
