import { largestImage, readImageHeader, sentForms, sentImage } from '../../shared/imageLimits.ts';
import type { ScaledImage } from '../../shared/protocol/protocol.ts';

/** An image as it is sent: as it was where that fits, else drawn anew, smaller. Undefined where it cannot be drawn. */
export async function scaleImage(blob: Blob): Promise<ScaledImage | undefined> {
  const header = readImageHeader(new Uint8Array(await blob.slice(0, 65_536).arrayBuffer()));
  if (header !== undefined && header.width * header.height > largestImage.pixels) return undefined;
  const drawn = await createImageBitmap(blob).catch(() => undefined);
  if (drawn === undefined) return undefined;
  try {
    const { width, height } = drawn;
    const isSmall = Math.max(width, height) <= sentImage.side && blob.size <= sentImage.bytes;
    const type = header?.type ?? blob.type;
    if (isSmall && (sentForms as readonly string[]).includes(type)) return await encoded(blob, type, width, height);
    // Each time a third fewer pixels: a photograph of noise takes a few.
    for (let side: number = sentImage.side; side >= 256; side = Math.round(side * 0.8)) {
      const made = await drawAnew(drawn, Math.min(1, side / Math.max(width, height)));
      if (made !== undefined) return made;
    }
    return undefined;
  } finally {
    drawn.close();
  }
}

/** Draws an image at a scale. Undefined where it is larger than what is sent. */
async function drawAnew(image: ImageBitmap, scale: number): Promise<ScaledImage | undefined> {
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  if (png.size <= sentImage.bytes) return encoded(png, 'image/png', width, height);
  // A JPEG has no transparency: what was clear would be black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
  return jpeg.size <= sentImage.bytes ? encoded(jpeg, 'image/jpeg', width, height) : undefined;
}

async function encoded(blob: Blob, mime: string, width: number, height: number): Promise<ScaledImage> {
  return { mime, data: await toBase64(blob), width, height };
}

export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

export function fromBase64(data: string, mime: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: mime });
}
