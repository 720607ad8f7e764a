import { spawn } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { ApiKey, cleanApiKey } from '../../service/apiKey.ts';
import { createServiceClient } from '../../service/client.ts';
import {
  type AddressProblem,
  type Endpoint,
  isInsecure,
  normaliseBaseUrl,
  originOf,
  requireKey,
} from '../../service/endpoint.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { withRetries } from '../embedding/retries.ts';
import type { VectorSource } from '../types.ts';
import type { CliContext } from './cliContext.ts';
import type { CliArguments } from './cliOptions.ts';
import { CliProblem } from './cliProblem.ts';

/** A service as the arguments name it, without its key. */
export interface NamedService extends VectorSource {
  readonly baseUrl: string;
  readonly origin: string;
  readonly queryPrefix?: string | undefined;
}

/** An embedding model that can be asked, until it is closed. */
export interface OpenModel {
  readonly model: EmbeddingModel;
  /** Whether a text was sent, or may have been: false where the service was never reached. */
  wasSent(): boolean;
  close(): Promise<void>;
}

/**
 * The service that `--url` and `--model` name; undefined where neither is given.
 * @throws CliProblem where one is missing, or the address is none
 */
export function namedService(args: CliArguments): NamedService | undefined {
  const [url, model] = [args.text('url'), args.text('model')];
  if (url === undefined && model === undefined) {
    const alone = ['key-env', 'key-command', 'document-prefix', 'query-prefix'].find((name) => args.has(name));
    if (alone === undefined) return undefined;
    throw new CliProblem(
      l10n.t('The option --{0} is for a service, and none is named.', alone),
      l10n.t('Name one with --url and --model.'),
    );
  }
  if (url === undefined) throw new CliProblem(l10n.t('No service is connected yet.'), l10n.t('Name one with --url.'));
  if (model === undefined) {
    throw new CliProblem(l10n.t('No model for embeddings is set.'), l10n.t('Name one with --model.'));
  }
  const address = normaliseBaseUrl(url);
  if (!address.ok)
    throw new CliProblem(addressText(address.problem), l10n.t('Give one like https://api.example.com/v1.'));
  return {
    ...{ baseUrl: address.baseUrl, origin: originOf(address.baseUrl), model },
    ...{ documentPrefix: args.text('document-prefix'), queryPrefix: args.text('query-prefix') },
  };
}

/** The address itself is not repeated: there may be a password in it. */
function addressText(problem: AddressProblem): string {
  return problem === 'credentials'
    ? l10n.t('The address that --url gives holds a user name or password; Parley keeps keys apart from addresses.')
    : l10n.t('The address that --url gives is not one Parley can call.');
}

/**
 * Opens a service with its key.
 * @param keepsRetrying requests are sent again after a failure that passes by itself, which `onWait` tells
 * @throws CliProblem and ServiceError (`no-key`, `insecure`) before anything is sent
 */
export async function openModel(
  { args, environment, signal }: Pick<CliContext, 'args' | 'environment' | 'signal'>,
  service: NamedService,
  { keepsRetrying = false, onWait = (_ms: number | undefined) => {} } = {},
): Promise<OpenModel> {
  const { baseUrl, model } = service;
  const apiKey = await readKey(args, environment, signal);
  const to: Endpoint = { baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) };
  if (apiKey !== undefined && isInsecure(baseUrl)) throw new ServiceError('insecure', { url: baseUrl });
  requireKey(to);
  // undici is loaded only where something is sent.
  const { createTransport, readCertificates, tellSent } = await import('../../service/transport/transport.ts');
  let wasSent = false;
  const transport = createTransport({
    ...{ clock: systemClock, certificates: readCertificates },
    watch: (path) =>
      tellSent(path, () => {
        wasSent = true;
      }),
  });
  const client = createServiceClient(transport);
  let hasAnswered = false;
  const ask: EmbeddingModel['embed'] = async (texts, abort) => {
    const { vectors } = await client.embedEach(to, texts, abort);
    hasAnswered = true;
    return vectors;
  };
  const retrying = { hasAnswered: () => hasAnswered, onWait, clock: systemClock };
  return {
    model: {
      ...service,
      url: baseUrl,
      embed: (texts, abort) =>
        keepsRetrying ? withRetries(() => ask(texts, abort), retrying, abort) : ask(texts, abort),
      batchSize: client.memory.batchSize(baseUrl, model),
      learn: (size) => client.memory.setBatchSize(baseUrl, model, size),
    },
    wasSent: () => wasSent,
    close: async () => transport.close?.(),
  };
}

/** The variable that is read where none is named. */
const usualVariable = 'PARLEY_API_KEY';

/**
 * The key, from the environment or a command. What the options name is not repeated in errors: it may be a key that was put there.
 * @throws CliProblem where what was named gives none
 */
async function readKey(
  args: CliArguments,
  environment: CliContext['environment'],
  signal: AbortSignal,
): Promise<ApiKey | undefined> {
  const [variable, command] = [args.text('key-env'), args.text('key-command')];
  if (variable !== undefined && command !== undefined) {
    throw new CliProblem(l10n.t('The key is named in two ways.'), l10n.t('Give --key-env or --key-command.'));
  }
  if (command !== undefined) return keyOf(await firstLineOf(command, signal), l10n.t('Run the command by itself.'));
  const typed = environment[variable ?? usualVariable];
  if (typed) return keyOf(typed, l10n.t('Set it to the key alone.'));
  if (variable === undefined) return undefined;
  throw new CliProblem(
    l10n.t('The environment variable that --key-env names is not set.'),
    l10n.t('It takes the name of a variable, not a key.'),
  );
}

function keyOf(text: string, next: string): ApiKey {
  const key = cleanApiKey(text);
  if (key === undefined) throw new CliProblem(l10n.t('What should be the key is none.'), next);
  return new ApiKey(key);
}

/** How long a command may take to give the key, in milliseconds: somebody may have to type a password first. */
const commandMs = 120_000;
/** The most of its output that is read, in bytes. */
const mostOutput = 64 * 1024;

/** The first line that a command writes. Its errors go to the terminal, as they are. */
function firstLineOf(command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const failed = (): void =>
      reject(
        signal.aborted
          ? new ServiceError('cancelled')
          : new CliProblem(
              l10n.t('The command that --key-command names failed.'),
              l10n.t('Run the command by itself.'),
            ),
      );
    const ends = AbortSignal.any([signal, AbortSignal.timeout(commandMs)]);
    const child = spawn(command, { shell: true, stdio: ['inherit', 'pipe', 'inherit'], signal: ends });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      if (output.length < mostOutput) output += piece;
    });
    child.on('error', failed);
    child.on('close', (code) => (code === 0 ? resolve(output.split(/\r?\n/, 1)[0] ?? '') : failed()));
  });
}
