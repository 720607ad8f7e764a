import type { ServiceResponse, Transport } from '../../src/service/request.ts';
import { endpoint } from './reading.ts';

/** So many bytes stand for a body without an end: many times more than any client may hold. */
const length = 96 * 1024 * 1024;
const packetLength = 64 * 1024;

const event = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const long = 'x'.repeat(packetLength);

/** What the body begins with, and what it repeats; `#` in it is the number of the packet. */
const forms: Readonly<Record<string, readonly [start: string, again: string]>> = {
  'an event without an end': ['data: ', long],
  'an event of many lines': ['', 'data: x\n'.repeat(8_000)],
  'a comment without an end': [': ', long],
  'an event name without an end': ['event: ', long],
  'a field without an end': ['x', long],
  'a JSON text without an end': ['{"choices":"', long],
  'a JSON text over many lines': ['{"choices":[\n', '{},\n'.repeat(16_000)],
  'a line of JSON without an end': ['{"choices":[]}\n{"choices":"', long],
  'brackets without an end': ['', '['.repeat(packetLength)],
  'a web page without an end': ['<html>', long],
  'noise without an end': ['\x01', long],
  'blank lines without an end': ['', '\r\n'.repeat(packetLength / 2)],
  'text without an end': ['', event({ content: long })],
  'heartbeats without an end': ['', ': ping\n\n'.repeat(8_000)],
  'arguments of one tool call': [
    event({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }),
    event({ tool_calls: [{ index: 0, function: { arguments: long } }] }),
  ],
  'tool calls without an end': [
    '',
    event({ tool_calls: [{ index: 0, id: '#', function: { name: 'f', arguments: long } }] }),
  ],
  'arguments of a legacy function call': ['', event({ function_call: { name: 'f', arguments: long } })],
};

export const endlessBodies: readonly string[] = Object.keys(forms);

/** A transport whose answer is such a body. */
export function answeringEndlessly(name: string): Transport {
  async function* body(): ServiceResponse['body'] {
    const [start, again] = forms[name] ?? ['', ''];
    const encoder = new TextEncoder();
    yield encoder.encode(start);
    for (let sent = 0; sent < length; sent += again.length)
      yield encoder.encode(again.includes('#') ? again.replaceAll('#', `id ${sent}`) : again);
  }
  return {
    send: async () => ({ status: 200, headers: {}, url: endpoint.baseUrl, body: body() }),
    close: async () => {},
  };
}
