import { largestImage } from '../../shared/imageLimits.ts';
import type { FromChatPanel } from '../../shared/protocol/protocol.ts';
import { longestText } from '../../shared/textLimits.ts';
import { scaleImage, toBase64 } from './scaleImage.ts';

/** Lines, and characters, from which on a text that is pasted becomes an attachment. */
const [longPaste, longLine] = [40, 8_000];
/** Characters from which on it does so even if the user wants it in the box, which the browser would lay out for half a second. */
const largestInBox = 100_000;
/** The most files that are taken at once. */
const mostTaken = 50;

/** The messages that attach what came from elsewhere. */
export type IncomingMessage = Extract<FromChatPanel, { readonly type: 'attachUris' | 'pasteText' | 'pasteImage' }>;

/** Attaches what is dropped on a part of the page, and images and long texts that are pasted into its box. */
export function takeFiles(page: HTMLElement, box: HTMLTextAreaElement, post: (message: IncomingMessage) => void): void {
  let isPlain = false;
  // Ctrl+Shift+V: a person who wants the text in the box gets it there, unless it is very long.
  box.addEventListener('keydown', (event) => {
    isPlain = event.shiftKey;
  });
  box.addEventListener('paste', (event) => {
    const { clipboardData } = event;
    if (clipboardData === null) return;
    const images = filesOf(clipboardData).filter(isImage);
    const text = clipboardData.getData('text/plain');
    if (images.length > 0 && text === '') {
      event.preventDefault();
      for (const image of images) void postImage(image, '', post);
    } else if (isLong(text) && (!isPlain || text.length > largestInBox)) {
      event.preventDefault();
      post({ type: 'pasteText', name: '', language: languageOf(clipboardData), text });
    }
  });
  page.addEventListener('dragover', (event) => {
    // Without this the page takes nothing; text of the page itself is not dropped.
    if (event.dataTransfer !== null && takes(event.dataTransfer)) event.preventDefault();
  });
  page.addEventListener('drop', (event) => {
    const { dataTransfer, defaultPrevented } = event;
    // A question that is being edited has taken it.
    if (defaultPrevented || dataTransfer === null || !takes(dataTransfer)) return;
    event.preventDefault();
    const uris = urisOf(dataTransfer);
    if (uris.length > 0) post({ type: 'attachUris', uris });
    else for (const file of filesOf(dataTransfer).slice(0, mostTaken)) void postFile(file, post);
    box.focus();
  });
}

function isLong(text: string): boolean {
  // The longest is left to the box, which cuts it off where a message ends.
  if (text.length > longestText) return false;
  return text.length > longLine || text.replace(/\n$/, '').split('\n', longPaste + 1).length > longPaste;
}

const uriLists = ['application/vnd.code.uri-list', 'text/uri-list'];
const resources = 'resourceurls';

function takes({ types }: DataTransfer): boolean {
  return types.some((type) => type === 'Files' || uriLists.includes(type) || type === resources);
}

/** The addresses that VS Code's explorer and tabs give, and the desktop. */
function urisOf(data: DataTransfer): string[] {
  const lists = uriLists.map((type) => data.getData(type).split(/\r?\n/));
  const found = [...(lists.find((list) => list.some(isUri)) ?? []), ...parseList(data.getData(resources))];
  return [...new Set(found.filter(isUri))].slice(0, mostTaken);
}

const isUri = (text: string): boolean => /^(?!https?:|data:|blob:)[a-z][\w+.-]*:\/./i.test(text) && text.length <= 4096;

function parseList(json: string): string[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function filesOf(data: DataTransfer): File[] {
  return Array.from(data.files);
}

const isImage = ({ type }: File): boolean => type.startsWith('image/') && type !== 'image/svg+xml';

/** The language of the editor that a text was copied from. */
function languageOf(data: DataTransfer): string {
  try {
    const { mode } = JSON.parse(data.getData('vscode-editor-data')) as { mode?: unknown };
    return typeof mode === 'string' && mode !== 'plaintext' ? mode.slice(0, 100) : '';
  } catch {
    return '';
  }
}

async function postFile(file: File, post: (message: IncomingMessage) => void): Promise<void> {
  const name = file.name.slice(0, 200);
  if (isImage(file)) return postImage(file, name, post);
  // What is too large, or no text, is refused by the host, which has the sentence for it.
  const text = file.size > longestText ? '\0' : await file.text().catch(() => '\0');
  post({ type: 'pasteText', name, language: '', text });
}

async function postImage(file: File, name: string, post: (message: IncomingMessage) => void): Promise<void> {
  const mime = /^image\/[\w.+-]{1,50}$/.test(file.type) ? file.type : 'image/png';
  const isTooLarge = file.size > largestImage.bytes;
  const [data, image] = isTooLarge ? ['', undefined] : await Promise.all([toBase64(file), scaleImage(file)]);
  post({ type: 'pasteImage', name, original: { mime, data }, ...(image && { image }) });
}
