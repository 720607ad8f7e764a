/** The service of the speed bench, in a thread of its own so that it takes no time from the client it measures. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { eventPackets, firstEvent, lastEvents } from './tokens.ts';

const head =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';

/** A whole answer as it stands on the wire, one HTTP chunk for each event: writing 50,000 by one would measure the server. */
const wholeAnswer = Buffer.concat([
  Buffer.from(head),
  ...eventPackets().flatMap((bytes) => [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
  Buffer.from('0\r\n\r\n'),
]);

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url?.startsWith('/tokens/')) return request.socket.end(wholeAnswer);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(firstEvent);
    setImmediate(() => response.end(lastEvents));
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
});
