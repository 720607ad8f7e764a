import { openAsBlob } from 'node:fs';
import type { Upload } from '../request.ts';
import { type NetworkPath, requestHeaders } from './networkPath.ts';
import { describeUpload } from './upload.ts';

/**
 * The way by the `fetch` of the editor, which knows proxy scripts, sign-ins of proxies and the certificates of the system.
 * Only global objects are passed to it: a dispatcher or a form of undici's own copy does not fit it.
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

/** Makes the form. The file comes last, and is read while it is sent. @throws ServiceError `file-missing`, `file-empty` */
async function openForm({ fields, file }: Upload): Promise<FormData> {
  const { name } = await describeUpload(file);
  const form = new FormData();
  for (const [field, value] of fields) form.append(field, value);
  form.append(file.field, await openAsBlob(file.path, { type: file.contentType }), name);
  return form;
}
