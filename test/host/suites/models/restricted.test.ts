import assert from 'node:assert/strict';
import { LanguageModelChatMessage, lm } from 'vscode';
import { Tool } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';

describe('Models and tools in Restricted Mode', () => {
  let service: ReferenceService;
  before(async () => {
    await subject().activate();
    service = await startService();
    await connectTo(service);
  });
  after(async () => {
    await disconnect();
    await service.close();
  });

  it('the tools read nothing and send nothing', async () => {
    const toolInvocationToken = undefined;
    const search = lm.invokeTool(Tool.searchCode, { input: { query: 'retry' }, toolInvocationToken });
    await assert.rejects(async () => search, /only in folders you trust/);
    const input = { path: 'recordings/begruessung.wav' };
    const translate = lm.invokeTool(Tool.translateAudio, { input, toolInvocationToken });
    await assert.rejects(async () => translate, /only from folders you trust/);
    assert.equal(service.requests.length, 0);
  });

  it('the models answer what they are asked, as the chat does', async () => {
    const [model] = await lm.selectChatModels({ vendor: 'parley', family: 'parley-chat' });
    assert.ok(model);
    let answer = '';
    for await (const piece of (await model.sendRequest([LanguageModelChatMessage.User('say: here')])).text)
      answer += piece;
    assert.equal(answer, 'here');
  });
});
