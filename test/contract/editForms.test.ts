import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnswerIntake } from '../../src/edits/ask/answerIntake.ts';
import type { EditForm } from '../../src/edits/ask/editForm.ts';
import { editTool } from '../../src/edits/ask/editTool.ts';
import { editMessages } from '../../src/edits/ask/prompt.ts';
import { readEditCalls } from '../../src/edits/ask/readEditCalls.ts';
import { wholeBlocks } from '../../src/edits/ask/streamedChanges.ts';
import { isToolRefusal } from '../../src/edits/ask/toolRefusal.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { Transport } from '../../src/service/request.ts';
import type { ReferenceService } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { createTestTransport, endpointOf } from './client.ts';

const path = 'src/price.ts';
const selected = ['const net = 1;', 'return net;'];
const change = { path, oldText: selected.join('\n'), newText: 'const gross = 1;\nreturn gross;' };
const question = { instruction: 'rename net to gross', path, language: 'ts', before: [], selected, after: [] };

describe('a question about an edit, on a real socket', () => {
  let service: ReferenceService;
  let transport: Transport & { close(): Promise<void> };

  before(async () => {
    service = await createReferenceService({});
    transport = createTestTransport() as typeof transport;
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  async function ask(form: EditForm, stream: boolean, of = service) {
    const fields = form === 'tool' ? { tools: [editTool] } : {};
    const request = { messages: editMessages(question, form), stream, fields };
    const intake = createAnswerIntake();
    const { signal } = new AbortController();
    for await (const event of createChatClient(transport).chat(endpointOf(of, 'parley-chat'), request, signal))
      intake.take(event);
    return intake;
  }

  for (const stream of [true, false]) {
    test(`is answered by a call of the tool ${stream ? 'in pieces' : 'at once'}`, async () => {
      const { calls, text, finishReason, tokens } = await ask('tool', stream);
      assert.deepEqual(readEditCalls(calls), { changes: [change], odd: [] });
      assert.equal(text, '');
      assert.equal(finishReason, 'tool_calls');
      assert.ok(tokens !== undefined && tokens > 0);
    });

    test(`is answered in blocks, and as a whole, ${stream ? 'in pieces' : 'at once'}`, async () => {
      assert.deepEqual(wholeBlocks(`${(await ask('blocks', stream)).text}\n`), [change]);
      assert.match((await ask('whole', stream)).text, /^```ts\nconst gross = 1;/);
    });
  }

  for (const refusalForm of ['param', 'words', 'detail'] as const) {
    test(`is known to be refused for its tools (${refusalForm})`, async () => {
      const other = await createReferenceService({ refusedFields: ['tools'], refusalForm });
      try {
        await assert.rejects(ask('tool', true, other), isToolRefusal);
        assert.equal(readEditCalls((await ask('whole', true, other)).calls).changes.length, 0);
      } finally {
        await other.close();
      }
    });
  }

  test('is not taken for refused where a model is not there', async () => {
    const { signal } = new AbortController();
    service.setFault('model-not-found');
    const asked = async () => {
      const request = { messages: editMessages(question, 'tool'), stream: true, fields: { tools: [editTool] } };
      for await (const _ of createChatClient(transport).chat(endpointOf(service, 'm'), request, signal));
    };
    await assert.rejects(asked, (error) => !isToolRefusal(error));
    service.setFault(undefined);
  });
});
