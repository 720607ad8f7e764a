import * as l10n from '@vscode/l10n';
import { type ErrorKind, ServiceError } from '../../base/errors.ts';
import { storageError } from '../store/storageError.ts';
import { CliProblem } from './cliProblem.ts';
import { hostText, numberText } from './cliText.ts';
import { sharedFileProblem } from './sharedFileProblem.ts';

/** What a person reads where a command could not do its work: a sentence, and what to do next. */
export interface CliErrorText {
  readonly sentence: string;
  readonly next: string;
}

/** The text of any error. Of one that nobody expected, nothing is shown that could hold what is nobody's business. */
export function cliErrorText(thrown: unknown): CliErrorText {
  const error = storageError(thrown);
  if (error instanceof CliProblem) return { sentence: error.message, next: error.next };
  const found = error instanceof ServiceError ? table[error.kind]?.(error) : undefined;
  if (found !== undefined) return { sentence: found[0], next: found[1] };
  return {
    sentence: l10n.t('Parley met an error it did not expect.'),
    next: l10n.t('Try it again; what was stored stays.'),
  };
}

const host = ({ url = '' }: ServiceError): string => (url === '' ? l10n.t('The service') : hostText(url));
/** The service's own words in quotation marks, where it gave any. */
const said = ({ message }: ServiceError): string =>
  message === '' ? '' : ` ${l10n.t('It said: “{0}”', message.replace(/\s+/g, ' ').slice(0, 400))}`;

const checkKey = (): string => l10n.t('Look at the key in PARLEY_API_KEY, or at what --key-env or --key-command name.');
const checkAddress = (): string => l10n.t('Look at the address that --url gives.');
const checkModel = (): string => l10n.t('Look at the name that --model gives.');
const later = (): string => l10n.t('Run it again later: what has come stays, and only the rest is sent.');

type Text = (error: ServiceError) => readonly [sentence: string, next: string];

/** The same words as in the editor (`editor/sentences/errorText.ts`), with next steps of the command line. */
const table: Partial<Record<ErrorKind, Text>> = {
  'no-address': () => [l10n.t('No service is connected yet.'), l10n.t('Name one with --url and --model.')],
  'no-key': (e) => [
    l10n.t('There is no API key for {0}.', host(e)),
    l10n.t('Put it into the environment variable PARLEY_API_KEY, or name another one with --key-env.'),
  ],
  insecure: (e) => [
    l10n.t('Parley does not send your key to {0} over plain http, where others could read it.', host(e)),
    l10n.t('Give an address that begins with https://.'),
  ],
  'invalid-request': (e) => invalidText(e),
  git: (e) => gitText(e),
  storage: (e) => storageText(e.hint),
  'shared-file': sharedFileProblem,
  auth: (e) => [l10n.t('{0} did not accept the API key.', host(e)), checkKey()],
  permission: (e) => [l10n.t('The API key is not allowed to do this at {0}.', host(e)) + said(e), checkKey()],
  'not-found': (e) =>
    /^https?:/i.test(e.hint ?? '')
      ? [l10n.t('There is nothing at {0}; the base URL may have to be {1}.', e.url ?? '', e.hint ?? ''), checkAddress()]
      : [l10n.t('There is nothing at {0}.', e.url ?? '') + said(e), checkAddress()],
  'model-not-found': (e) => [l10n.t('{0} does not know this model.', host(e)) + said(e), checkModel()],
  'context-length': (e) => [l10n.t('This is longer than the model can read at once.') + said(e), checkModel()],
  'rate-limit': (e) => [l10n.t('{0} asks for fewer requests.', host(e)), waitText(e)],
  quota: (e) => [l10n.t('The account at {0} has no quota left.', host(e)) + said(e), later()],
  'too-large': (e) => [l10n.t('{0} does not take a request this large.', host(e)) + said(e), checkModel()],
  'bad-request': (e) => [l10n.t('{0} did not accept the request.', host(e)) + said(e), checkModel()],
  overloaded: (e) => [l10n.t('{0} is overloaded at the moment.', host(e)) + said(e), waitText(e)],
  server: (e) => [
    (e.status === undefined
      ? l10n.t('{0} failed.', host(e))
      : l10n.t('{0} failed with status {1}.', host(e), e.status)) + said(e),
    later(),
  ],
  dns: (e) => [
    l10n.t('The host {0} was not found.', host(e)),
    l10n.t('Look at the address; where the network needs a proxy, HTTPS_PROXY names it.'),
  ],
  refused: (e) => [l10n.t('Nothing answers at {0}; the service may not be running.', host(e)), checkAddress()],
  tls: (e) => [
    l10n.t('No secure connection to {0} could be made ({1}).', host(e), e.hint ?? 'TLS'),
    l10n.t('An authority of your own belongs in the system store, or in a file that NODE_EXTRA_CA_CERTS names.'),
  ],
  proxy: (e) => [
    l10n.t('The proxy of the environment did not let the request through ({0}).', e.hint ?? '?'),
    l10n.t('Look at HTTPS_PROXY; a user name and password stand before the host in it.'),
  ],
  reset: (e) => [l10n.t('The connection to {0} broke.', host(e)), later()],
  timeout: (e) => [l10n.t('{0} did not answer in time.', host(e)), later()],
  redirect: (e) => [
    l10n.t('The service has moved to {0}; Parley does not follow with your key.', e.hint ?? ''),
    l10n.t('Give this address with --url, where you trust it.'),
  ],
  truncated: () => [l10n.t('The answer was cut off before its end.'), later()],
  malformed: (e) => [
    e.hint === 'another length'
      ? l10n.t('The vectors of {0} have another length than before.', host(e))
      : l10n.t('{0} gave an answer that Parley cannot read.', host(e)),
    e.hint === 'another length' ? l10n.t('Run it again: new ones are made, and the old ones stay.') : checkModel(),
  ],
  'login-page': (e) => [
    l10n.t('{0} answered with a web page instead of JSON; a login or a proxy may stand in between.', host(e)),
    checkAddress(),
  ],
};

function waitText({ retryAfterMs = 0 }: ServiceError): string {
  if (retryAfterMs <= 0) return later();
  return l10n.t('Run it again in {0} s: only the rest is sent.', numberText(Math.ceil(retryAfterMs / 1000)));
}

function invalidText({ param = '', hint = '' }: ServiceError): readonly [string, string] {
  if (param === 'changedSince') {
    return [l10n.t('Git knows no revision “{0}” here.', hint), l10n.t('Name a branch, tag or commit.')];
  }
  if (param === 'folder') {
    return [
      l10n.t('{0} has more than code in it, and is not read unasked.', hint),
      l10n.t('Name a folder of code; to index all of this one, name it with “parley-search index”.'),
    ];
  }
  if (param === 'pattern') return [l10n.t('The expression cannot be searched with.'), l10n.t('Give a simpler one.')];
  return [
    l10n.t('The file patterns are too long or too many.'),
    l10n.t('Give fewer or simpler ones with --paths, --exclude or --allow.'),
  ];
}

function gitText({ hint }: ServiceError): readonly [string, string] {
  const without = l10n.t('Leave --changed-since out.');
  if (hint === 'missing')
    return [l10n.t('Git was not found on this machine, so nobody can say what changed.'), without];
  if (hint === 'no-repository')
    return [l10n.t('The folder is in no git repository, so nobody can say what changed.'), without];
  if (hint === 'endless') return [l10n.t('Git did not answer in time, so nobody can say what changed.'), without];
  if (hint === 'not-owned')
    return [
      l10n.t('Git does not read this folder, since another user of this machine owns it.'),
      l10n.t('If you trust it, add it to safe.directory of git.'),
    ];
  return [l10n.t('Git could not compare the files.'), without];
}

function storageText(reason: string | undefined): readonly [string, string] {
  const elsewhere = l10n.t('Name a folder that can be written with PARLEY_DATA_DIR.');
  switch (reason) {
    case 'full':
      return [
        l10n.t('The disk is full, so the index cannot grow; what is in it stays and can be searched.'),
        l10n.t('Free some space, or delete unused indexes with “parley-search clean”.'),
      ];
    case 'read-only':
      return [l10n.t('The folder in which Parley keeps the index cannot be written to.'), elsewhere];
    case 'damaged':
      return [
        l10n.t('The index is damaged on the disk.'),
        l10n.t('Run “parley-search index”, which builds the damaged part again.'),
      ];
    case 'busy':
      return [l10n.t('Another program is writing to the index.'), l10n.t('Try again in a moment.')];
    case 'sqlite':
      return [
        l10n.t('This Node has no database for the index (node:sqlite with FTS5).'),
        l10n.t('Node 22.15 or newer has one.'),
      ];
    default:
      return [
        l10n.t('The index could not be read or written on the disk, which may be over a quota or failing.'),
        elsewhere,
      ];
  }
}
