/** The stream that speed is measured on: one event of about 200 bytes for each token, as services send them. */
export const tokenCount = 50_000;

function event(members: object): string {
  const head = { id: 'chatcmpl-7f3a', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'bench' };
  return `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
}

const choice = (delta: object, finish_reason: string | null) => ({
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});

/** The text of a token: four to eight characters, as words have. */
const token = (place: number): string => ` ${(place * 7919).toString(36).padStart(5, 'w')}`;

export const firstEvent: string = event(choice({ role: 'assistant', content: token(0) }, null));
export const lastEvents: string = `${event(choice({}, 'stop'))}${event({
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: tokenCount, total_tokens: tokenCount + 9 },
})}data: [DONE]\n\n`;

/** One event a packet. */
export function eventPackets(): Uint8Array[] {
  const encoder = new TextEncoder();
  const events = Array.from({ length: tokenCount - 1 }, (_, i) => event(choice({ content: token(i + 1) }, null)));
  return [firstEvent, ...events, lastEvents].map((text) => encoder.encode(text));
}

/** The same bytes in packets of a size that fits no border. */
export function smallPackets(size: number): Uint8Array[] {
  const bytes = Buffer.concat(eventPackets());
  const packets: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(bytes.subarray(at, at + size));
  return packets;
}

/** How many characters every client must have given in the end. */
export function textLength(): number {
  let length = 0;
  for (let i = 0; i < tokenCount; i++) length += token(i).length;
  return length;
}
