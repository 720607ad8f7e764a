import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { deleteIndex, folder, startIndexing } from '../support/codeIndex.ts';
import { dialog, fill, press, quickPick, secondWindow } from '../support/hands.ts';
import { connectTo, disconnect } from '../support/service.ts';
import { until } from '../support/until.ts';

const files = 2_000;
const second = { window: 'second' } as const;
const words =
  'harbour tide anchor mast hull deck cargo berth crane pilot radar buoy fleet route signal engine winch'.split(' ');
const wordOf = (at: number): string => words[at % words.length] ?? '';
const pathOf = (file: number): string => join(folder(), 'scratch', `m${file % 40}`, `file${file}.ts`);

/** Six functions of 30 lines; `gate17` stands in file 17 alone. */
function codeOf(file: number): string {
  const lines = (part: number): string =>
    Array.from(
      { length: 30 },
      (_, line) => `  const a${line} = input[${line}] ?? '${wordOf(file + part + line)} ${part}';\n`,
    ).join('');
  return Array.from(
    { length: 6 },
    (_, part) =>
      `/** Opens the ${wordOf(part)} of gate${file}. */\nexport function open${part}(input: string[]): string {\n${lines(part)}  return a0;\n}\n`,
  ).join('\n');
}

/** A service that takes 60 ms for each request, and gives vectors of 1,024 numbers. */
function startSlow(): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const { input = [], model = '' } =
        body === '' ? {} : (JSON.parse(body) as { input?: string[] | string; model?: string });
      const data = [input].flat().map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      response.setHeader('content-type', 'application/json');
      setTimeout(() => response.end(JSON.stringify({ object: 'list', data, model })), 60);
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function vectorOf(text: string): string {
  let state = [...text.slice(0, 300)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  const vector = Float32Array.from({ length: 1_024 }, () => {
    state = (state * 1_103_515_245 + 12_345) | 0;
    return (state >> 16) / 32_768;
  });
  return Buffer.from(vector.buffer).toString('base64');
}

/** `npm run bench -- index`: how long a question takes in the list, from the key that ends it until its file is listed. */
describe('Figures of a search', () => {
  it('is measured while an index is built, and after a branch switch', async function () {
    this.timeout(560_000);
    const server = await startSlow();
    await connectTo({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
    await deleteIndex();
    for (let file = 0; file < files; file++) {
      mkdirSync(join(pathOf(file), '..'), { recursive: true });
      writeFileSync(pathOf(file), codeOf(file));
    }
    let asked = 0;
    async function ask(): Promise<number> {
      const file = (++asked * 37) % files;
      const start = performance.now();
      await quickPick.filter(`what opens gate${file}`);
      await until('it is listed', async () =>
        (await quickPick.items().catch(() => [])).some((label) => label.startsWith(`file${file}.ts:`)),
      );
      return performance.now() - start;
    }
    async function askWhile(isGoing: () => boolean): Promise<number[]> {
      await commands.executeCommand(Command.searchQuery);
      const took: number[] = [];
      while (isGoing() && took.length < 300) took.push(await ask());
      await press('Escape');
      await quickPick.untilClosed();
      return took.sort((a, b) => a - b);
    }
    const figures: Record<string, number> = {};
    const note = (name: string, took: readonly number[]): void => {
      figures[`${name}, median`] = took[Math.floor(took.length / 2)] ?? Number.NaN;
      figures[`${name}, 95 of 100`] = took[Math.floor(took.length * 0.95)] ?? Number.NaN;
      figures[`${name}, questions`] = took.length;
    };

    async function build(name: string, whenBegun: () => Promise<void> = async () => {}): Promise<void> {
      let isBuilt = false;
      const building = Promise.resolve(startIndexing()).finally(() => {
        isBuilt = true;
      });
      await dialog.press('Index Now');
      await whenBegun();
      note(name, await askWhile(() => !isBuilt));
      await building;
    }
    await build('built');
    let left = 20;
    note('at rest', await askWhile(() => left-- > 0));
    for (let file = 0; file < files; file++) {
      writeFileSync(
        pathOf(file),
        readFileSync(pathOf(file), 'utf8').replaceAll('const a0', `const other${file} = 1, a0`),
      );
    }
    const end = performance.now() + 20_000;
    note('switched', await askWhile(() => performance.now() < end));
    await deleteIndex();
    await secondWindow.open();
    await build('two windows', async () => {
      await press('F1', second);
      await fill('.quick-input-widget input', '>Parley: Index Workspace', second);
      await press('Enter', second);
    });
    await secondWindow.close();
    writeFileSync(process.env.PARLEY_TEST_FIGURES ?? '', JSON.stringify(figures));
    server.close();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await disconnect();
  });
});
