import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { l10n, type Uri, workspace } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import type { Notices } from '../../../editor/notices.ts';
import { largestImage, readImageHeader } from '../../../webview/shared/imageLimits.ts';
import type { FromChatPanel, ScaledImage, ToChatPanel } from '../../../webview/shared/protocol/protocol.ts';
import type { KnownModels } from '../../context/modelFacts.ts';
import type { ImageStore } from '../../history/imageStore.ts';
import { type Attachments, tooLargeText } from './attachments.ts';

/** The images of the next question. The page scales them down to what models take: it has a canvas. */
export interface Images {
  /** Attaches an image from the disk. */
  addFile(uri: Uri): Promise<void>;
  /** Attaches one that was pasted or dropped, and keeps the original. */
  addPasted(message: Extract<FromChatPanel, { readonly type: 'pasteImage' }>): Promise<void>;
  /** The page's answer. */
  scaled(message: Extract<FromChatPanel, { readonly type: 'imageScaled' }>): void;
}

export interface ImageParts {
  readonly attachments: Attachments;
  readonly notices: Notices;
  readonly models: KnownModels;
  /** The model of the next question. */
  readonly model: () => string;
  readonly store: ImageStore;
  readonly post: (message: ToChatPanel) => void;
}

/** Time that the page has to draw an image, in milliseconds. */
const patienceMs = 20_000;

export function createImages({ attachments, notices, models, model, store, post }: ImageParts): Images {
  const waiting = new Map<string, (image: ScaledImage | undefined) => void>();
  const refuse = (sentence: string): void => void notices.warn(sentence);

  /** Says so where the model takes no images. */
  async function isTaken(name: string): Promise<boolean> {
    const isSeen = (await models.of(model())).takesImages;
    if (!isSeen) refuse(l10n.t('{0} was not attached: the model {1} takes no images.', name, model()));
    return isSeen;
  }

  async function scale(type: string, data: string): Promise<ScaledImage | undefined> {
    const id = randomUUID();
    const over = new AbortController();
    const answer = new Promise<ScaledImage | undefined>((resolve) => waiting.set(id, resolve));
    post({ type: 'scaleImage', id, mime: type, data });
    const late = systemClock.sleep(patienceMs, over.signal).then(() => undefined);
    const image = await Promise.race([answer, late]);
    over.abort();
    waiting.delete(id);
    return image;
  }

  function attach(name: string, path: string, image: ScaledImage, original?: string): void {
    const { mime: type, data, width, height } = image;
    attachments.add({
      id: randomUUID(),
      kind: 'image',
      label: name,
      path,
      languageId: '',
      range: { startLine: 1, endLine: 1 },
      text: '',
      image: { type, data, width, height, ...(original === undefined ? {} : { original }) },
    });
  }

  async function addFile(uri: Uri): Promise<void> {
    const name = posix.basename(uri.path);
    if (!(await isTaken(name))) return;
    const { size } = await workspace.fs.stat(uri);
    if (size > largestImage.bytes) return refuse(tooLargeText(name, largestImage.bytes));
    const bytes = await workspace.fs.readFile(uri);
    const header = readImageHeader(bytes);
    if (header !== undefined && header.width * header.height > largestImage.pixels) return refuse(cannotDraw(name));
    const image = await scale(header?.type ?? 'image/avif', Buffer.from(bytes).toString('base64'));
    if (image === undefined) return refuse(cannotDraw(name));
    attach(name, workspace.asRelativePath(uri), image);
  }

  async function addPasted({
    name,
    image,
    original,
  }: Extract<FromChatPanel, { readonly type: 'pasteImage' }>): Promise<void> {
    const label = name === '' ? l10n.t('Pasted image') : name;
    if (!(await isTaken(label))) return;
    if (original.data === '') return refuse(tooLargeText(label, largestImage.bytes));
    if (image === undefined) return refuse(cannotDraw(label));
    // A disk that is full does not keep an image from being sent.
    const kept = await store.keep(Buffer.from(original.data, 'base64'), original.mime).catch(() => undefined);
    attach(label, '', image, kept);
  }

  const noted = (work: Promise<void>): Promise<void> => {
    attachments.adding(work);
    return work;
  };
  return {
    addFile: (uri) => noted(addFile(uri)),
    addPasted: (message) => noted(addPasted(message)),
    scaled: ({ id, image }) => waiting.get(id)?.(image),
  };
}

function cannotDraw(name: string): string {
  return l10n.t('{0} was not attached: it is no image that can be drawn here.', name);
}
