import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from './errors.ts';
import { type NetworkPath, requestHeaders } from './networkPath.ts';
import type { Upload } from './transport.ts';

/**
 * The way by the `fetch` of the editor, which knows proxy scripts, sign-ins of proxies and the certificates of the system.
 * Nothing but global objects goes in: a dispatcher or a form of undici's own copy does not fit it.
 */
export function createEditorPath(fetch: typeof globalThis.fetch): NetworkPath {
  return {
    async exchange(request, signal) {
      const body = typeof request.body === 'object' ? await openForm(request.body) : (request.body ?? null);
      const { method } = request;
      const answer = await fetch(request.url, {
        method,
        headers: requestHeaders(request),
        body,
        redirect: 'manual',
        signal,
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: answer.body ?? emptyBody(),
      };
    },
    close: async () => undefined,
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** The file stays on the disk until it is sent, and stands last. @throws ServiceError `file-missing`, `file-empty` */
async function openForm({ fields, file }: Upload): Promise<FormData> {
  const name = basename(file.path);
  const stats = await stat(file.path).catch(() => undefined);
  if (stats === undefined) throw new ServiceError('file-missing', { hint: name });
  if (stats.size === 0) throw new ServiceError('file-empty', { hint: name });
  const form = new FormData();
  for (const [field, value] of fields) form.append(field, value);
  form.append(file.field, await openAsBlob(file.path, { type: file.contentType }), name);
  return form;
}
