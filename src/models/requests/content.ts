import type { ContentPart } from '../../service/chat/chatRequest.ts';
import { readImageHeader } from '../../webview/shared/imageLimits.ts';

export type TextPart = { kind: 'text'; text: string };
export type ImagePart = { kind: 'image'; mimeType: string; data: Uint8Array };
/** Data that no service takes, which is named in words. */
export type OtherPart = { kind: 'other'; mimeType: string };
export type ShownPart = TextPart | ImagePart | OtherPart;

/** The text that the model reads in place of an image that it cannot take. */
const imageLeftOut = '[An image was left out here: this model takes no images.]';
const imageFollows = '[The image is in the next message.]';
/** The text in place of a result of a tool that holds nothing: some services refuse an empty one, and a model may think there was none. */
const noText = '(empty)';

const sentTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
/** The longest drawing that goes along as its text, in characters. */
const longestDrawing = 100_000;

/** What of a part goes along: its text, or an image of a type that services take. What is nothing of both is named. */
function sentPart(part: ShownPart): TextPart | ImagePart {
  if (part.kind === 'text') return part;
  if (part.kind === 'other') return leftOut(part.mimeType);
  const { data } = part;
  const named = part.mimeType.toLowerCase().replace('image/jpg', 'image/jpeg');
  // What a tool says of an image is often wrong, and a service refuses the conversation for it.
  const mimeType = readImageHeader(data)?.type ?? named;
  if (sentTypes.has(mimeType)) return { kind: 'image', mimeType, data };
  if (!/\bsvg\b/.test(mimeType)) return leftOut(mimeType);
  const drawing = new TextDecoder().decode(data);
  return drawing.length <= longestDrawing ? { kind: 'text', text: drawing } : leftOut(mimeType);
}

function leftOut(mimeType: string): TextPart {
  return {
    kind: 'text',
    text: `[Data of the type ${mimeType.slice(0, 100)} was left out here: models do not take it.]`,
  };
}

/** Text alone where there are no images, since not every service takes a list of parts; empty where there is nothing. */
export function contentOf(parts: readonly ShownPart[], takesImages: boolean): string | ContentPart[] {
  const shown = parts.map(sentPart).filter((part) => part.kind === 'image' || part.text.trim() !== '');
  if (!takesImages || shown.every((part) => part.kind === 'text'))
    return shown.map((part) => (part.kind === 'text' ? part.text : imageLeftOut)).join('\n');
  return shown.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : imageContent(part)));
}

/** The result of a tool, which is text alone, and the images that follow it in a message of the user. */
export function resultContent(
  parts: readonly ShownPart[],
  takesImages: boolean,
): { readonly text: string; readonly images: readonly ContentPart[] } {
  const sent = parts.map(sentPart);
  const text = sent
    .map((part) => (part.kind === 'text' ? part.text : takesImages ? imageFollows : imageLeftOut))
    .join('\n');
  const images = takesImages ? sent.flatMap((part) => (part.kind === 'image' ? [imageContent(part)] : [])) : [];
  return { text: text.trim() === '' ? noText : text, images };
}

function imageContent({ mimeType, data }: ImagePart): ContentPart {
  return {
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${Buffer.from(data).toString('base64')}` },
  };
}
