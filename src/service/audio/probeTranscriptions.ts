import { type ErrorKind, isCancelled, ServiceError } from '../../base/errors.ts';
import { readJson } from '../answers/readAnswer.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Transport } from '../request.ts';

/** Words of a service for the file that was not sent. */
const missingFile =
  /\bfile|audio|upload|multipart|form[ -]?data|field required|missing|required|no content|fichier|datei|archivo|文件|ファイル|파일/i;

/**
 * Finds out whether a service has `audio/transcriptions`, by one small request with the model and without a recording: where it has, it asks for
 * the file. No other address is tried.
 * @returns undefined where the answer says nothing about that, such as one about the key or the rate
 * @throws ServiceError `cancelled`
 */
export async function hasTranscriptions(
  transport: Transport,
  { baseUrl, model, apiKey }: Endpoint,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const boundary = 'parley-no-file';
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model.replace(/[\r\n]+/g, ' ')}\r\n--${boundary}--\r\n`;
  const retrying = new AbortController();
  let failed: ServiceError | undefined;
  try {
    const response = await transport.send(
      {
        method: 'POST',
        url: `${baseUrl}/audio/transcriptions`,
        apiKey,
        body,
        contentType: `multipart/form-data; boundary=${boundary}`,
        // One request is made, whatever comes of it.
        onRetry(error) {
          failed = error;
          retrying.abort();
        },
      },
      AbortSignal.any([signal, retrying.signal]),
    );
    // whisper.cpp asks for the file with status 200.
    await readJson(response, apiKey?.reveal());
    return undefined;
  } catch (error) {
    if (signal.aborted || (isCancelled(error) && failed === undefined)) throw error;
    return answerOf(failed ?? error);
  }
}

/** Kinds of failures of the network, and of what is no answer of a service. */
const unanswered: ReadonlySet<ErrorKind> = new Set([
  'dns',
  'refused',
  'tls',
  'proxy',
  'reset',
  'timeout',
  'redirect',
  'insecure',
  'truncated',
  'malformed',
  'login-page',
]);

function answerOf(error: unknown): boolean | undefined {
  if (!(error instanceof ServiceError)) throw error;
  const { status = 0, kind, message } = error;
  if (kind === 'model-not-found') return undefined;
  if (status === 404 || status === 405 || status === 501) return false;
  // An error that came with status 200 has none.
  const isAboutRequest = status === 400 || status === 422 || (status === 0 && !unanswered.has(kind));
  // A service that knows no such address may name it.
  const said = `${error.param ?? ''} ${message.replace(/\S*audio\/transcriptions\S*/gi, '')}`;
  return isAboutRequest && missingFile.test(said) ? true : undefined;
}
