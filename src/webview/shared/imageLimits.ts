/** An image as a model takes it: the longest side in pixels, and the bytes. Larger ones are scaled down by the page. */
export const sentImage = { side: 2_048, bytes: 1_000_000 } as const;

/** The largest image that is scaled down: bytes, and pixels, which a small file may have many of. */
export const largestImage = { bytes: 20_000_000, pixels: 100_000_000 } as const;

/** The forms that are sent as they are; others are drawn anew. */
export const sentForms = ['image/png', 'image/jpeg', 'image/webp'] as const;

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The form and size that the first bytes of an image name. Undefined for what is no PNG, JPEG, GIF, WebP or BMP: whether it can
 * be drawn is then found out by drawing it.
 */
export function readImageHeader(bytes: Uint8Array): (ImageSize & { readonly type: string }) | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  const sized = (type: string, width: number, height: number) => ({ type, width, height });
  if (bytes.length < 30) return undefined;
  if (text(1, 4) === 'PNG') return sized('image/png', view.getUint32(16), view.getUint32(20));
  if (text(0, 3) === 'GIF') return sized('image/gif', view.getUint16(6, true), view.getUint16(8, true));
  if (text(0, 2) === 'BM') return sized('image/bmp', view.getUint32(18, true), Math.abs(view.getInt32(22, true)));
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return webpHeader(view, text(12, 16));
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegHeader(view) : undefined;
}

function webpHeader(view: DataView, chunk: string) {
  const type = 'image/webp';
  if (chunk === 'VP8 ') {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return chunk === 'VP8X' ? { type, width: three(24), height: three(27) } : undefined;
}

/** Goes from marker to marker until the frame that names the size. */
function jpegHeader(view: DataView) {
  for (let at = 2; at + 9 < view.byteLength; ) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)) at += marker === 0xff ? 1 : 2;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}
