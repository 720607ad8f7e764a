import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, text, waitFor } from '../support/hands.ts';
import { disconnect, setting } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

/**
 * A service in a thread of its own: a question that ends with `flood of …` is answered with text that never ends, as fast as it
 * is taken; one that ends with `… that breaks` ends with an error after 6 MB.
 */
const program = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const event = (content) => 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: { content } }] }) + '\\n\\n';
const thought = 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'hm ' } }] }) + '\\n\\n';
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n';
const failure = 'data: {"error":{"message":"The model fell over.","code":500}}\\n\\n';
const flood = { words: event('word '), lines: event('a line\\n\\n'), code: event('code\\n'), thoughts: thought };
let floods = 0;
const server = createServer((request, response) => {
  // It lists no models.
  if (request.method === 'GET') return response.writeHead(404).end();
  let body = '';
  request.setEncoding('utf8').on('data', (text) => { body += text; }).on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Questions without an answer stand before it.
    const question = JSON.parse(body).messages.at(-1).content.split('\\n\\n').at(-1);
    const [, kind, breaks] = /^flood of (\\w+)( that breaks)?/.exec(question) ?? [];
    if (kind === undefined) return response.end(event('answer to ' + question) + end);
    const number = ++floods;
    let written = 0;
    if (kind === 'code') response.write(event('\`\`\`js\\n'));
    const packet = Buffer.from(flood[kind].repeat(1000));
    const go = () => {
      if (response.destroyed) return;
      if (breaks && written > 6_000_000) return response.end(failure);
      written += packet.length;
      if (written > 6_000_000) parentPort.postMessage({ full: number });
      // Slower from here on: the longest answer that is taken would end before a slow machine has pressed Stop.
      const next = written > 100_000_000 ? () => setTimeout(go, 100) : () => setImmediate(go);
      if (response.write(packet)) next();
      else response.once('drain', next);
    };
    response.on('close', () => parentPort.postMessage({ closed: number }));
    go();
  });
}).listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }));
`;

describe('Chat in a flood', () => {
  let worker: Worker;
  /** The number of the last flood of which more than is ever shown has come, and of the last one whose socket is closed. */
  let told: { port?: number; full?: number; closed?: number };

  before(async () => {
    await subject().activate();
  });

  beforeEach(async () => {
    told = {};
    worker = new Worker(program, { eval: true });
    worker.on('message', (message: typeof told) => Object.assign(told, message));
    const port = await until('the service listens', () => told.port);
    await setting('parley.baseUrl', `http://127.0.0.1:${port}/v1`);
    await setting('parley.chat.model', 'm');
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', { frame });
  });

  afterEach(async () => {
    await commands.executeCommand(Command.chatStop);
    await disconnect();
    await worker.terminate();
    await closeEditors();
  });

  async function askOne(name: string): Promise<void> {
    await chat.ask(`question ${name}`);
    // The last answer alone is looked at: to read all of a flood takes longer than to answer.
    const said = `answer to question ${name}`;
    await waitFor(`.answer:last-child:not(.streaming) .markdown:has-text(${JSON.stringify(said)})`, {
      frame,
      timeout: 60_000,
    });
  }

  /** Asks five questions in the panel, one after the other, and gives how long that took, in milliseconds. */
  async function askFive(name: string): Promise<number> {
    const started = performance.now();
    for (let i = 1; i <= 5; i++) await askOne(`${name} ${i}`);
    return performance.now() - started;
  }

  /** Asks for a flood, and stops it when it is far longer than what is shown. @param number it is the so many-th */
  async function floodAndStop(kind: string, number: number): Promise<void> {
    await chat.ask(`flood of ${kind}`);
    const part = kind === 'thoughts' ? '.reasoning' : '.markdown-blocks:not(:empty)';
    await waitFor(`.answer.streaming ${part}`, { frame, timeout: 60_000 });
    await until('more has come than is shown', () => told.full === number || told.closed === number);
    await click('.send[aria-label="Stop"]', { frame, timeout: 60_000 });
    await until('the socket is closed', () => told.closed === number);
    await waitFor('.answer:last-child:not(.streaming) .note', { frame, timeout: 60_000 });
    assert.match(await text('.answer:last-child .note', { frame }), /^Stopped\./);
  }

  /** Far from what noise does, and far less than what the questions once waited for. */
  const bound = 10;
  function compare(before: number, after: number): void {
    const took = `five questions took ${before.toFixed(0)} ms before the flood and ${after.toFixed(0)} ms after it`;
    assert.ok(after < before * bound, took);
  }

  async function floodTwice(kind: string): Promise<void> {
    const before = await askFive('before');
    await floodAndStop(kind, 1);
    compare(before, await askFive('after'));
    await floodAndStop(kind, 2);
    await askOne('after both');
  }

  it('stops a flood of words, and a second one, and answers the next questions as those before', () =>
    floodTwice('words'));

  it('stops a flood of lines, and a second one, and answers the next questions as those before', () =>
    floodTwice('lines'));

  it('stops a flood of code, and a second one, and answers the next questions as those before', () =>
    floodTwice('code'));

  it('stops a flood of thoughts, and a second one, and answers the next questions as those before', () =>
    floodTwice('thoughts'));

  it('answers the next questions as those before where the service ended a flood with an error', async () => {
    const before = await askFive('before');
    await chat.ask('flood of lines that breaks');
    await chat.untilFailed('The model fell over.');
    compare(before, await askFive('after'));
  });
});
