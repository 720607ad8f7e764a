/** Dialogues with tools on a real socket: which calls come of each answer, and what is told of those that cannot run. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ChatTool, type ReadCall, readCall } from '../../src/chat/tools/readCall.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import type { ChatRequest } from '../../src/service/chat/chatRequest.ts';
import type { Transport } from '../../src/service/request.ts';
import type { CorpusCase } from '../corpus/case.ts';
import { type CorpusService, serveCorpus } from '../corpus/serve.ts';
import { readToolCases, type ToolCase, type ToolStep } from '../corpus/toolDialogues.ts';
import { collectCompletion } from '../support/collect.ts';
import { createTestTransport } from './client.ts';

/** What is decided behind the client: that nothing runs beside a refusal; and a call without a name, which it takes for a broken answer. */
const decidedLater = new Set(['ends/refused-beside-a-call', 'names/empty']);

const played = readToolCases()
  .filter(({ name }) => !decidedLater.has(name))
  .flatMap((each) => each.steps.map((step, at) => ({ each, step, name: `${each.name}, answer ${at + 1}` })))
  .map((answer) => ({ ...answer, play: playOf(answer.name, answer.step) }));

function playOf(name: string, { answer }: ToolStep): CorpusCase {
  const isStream = 'chunks' in answer;
  const body = isStream ? answer.chunks.map((data) => `data: ${data}\n\n`) : answer.body;
  return { name, operation: 'chat', stream: isStream, body, expected: { ok: true } };
}

function fieldsOf({ tools, isLegacy }: ToolCase): NonNullable<ChatRequest['fields']> {
  if (tools.length === 0) return {};
  const functions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return isLegacy ? { functions } : { tools: functions.map((each) => ({ type: 'function', function: each })) };
}

const toolsOf = ({ tools }: ToolCase): ChatTool[] =>
  tools.map(({ name, parameters }) => ({ name, schema: parameters }));

/** A call as the corpus has it; of one that does not run, why. */
const asMeant = (read: ReadCall): object =>
  read.kind === 'call' ? { name: read.tool.name, arguments: read.input } : { refused: read.reason };

describe('the calls of an answer', () => {
  let service: CorpusService;
  let transport: Transport;
  before(async () => {
    service = await serveCorpus(played.map(({ play }) => play));
    transport = createTestTransport();
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  async function readAnswer({ each, step, play }: (typeof played)[number]): Promise<void> {
    const request: ChatRequest = {
      messages: [{ role: 'user', content: 'Go on.' }],
      stream: 'chunks' in step.answer,
      fields: fieldsOf(each),
    };
    const endpoint = { baseUrl: service.baseUrl(play), model: 'm' };
    const { choices, error } = await collectCompletion(
      createChatClient(transport).chat(endpoint, request, new AbortController().signal),
    );
    const [choice] = choices;
    const asked = [...(choice?.toolCalls ?? []), ...(choice?.functionCall ? [choice.functionCall] : [])];
    const reads = asked.map((call) => readCall(call, toolsOf(each)));
    assert.deepEqual(
      reads.map(asMeant),
      step.calls.map((call) => ('refused' in call ? { refused: call.refused } : { ...call })),
    );
    for (const read of reads)
      if (read.kind === 'refused') assert.ok(read.text.length > 20 && read.text.length < 20_000);
    if (step.refusal === undefined) assert.equal(choice?.text.trim() ?? '', step.text.trim());
    assert.equal(choice?.reasoning.trim() ?? '', step.reasoning.trim());
    assert.equal(error === undefined ? choice?.finishReason : 'cut', step.finish);
  }

  for (const answer of played) test(`${answer.name}: ${answer.each.about}`, () => readAnswer(answer));

  test('forms that were once lost, shown as text, or broke an answer off, are calls', async () => {
    const once = ['stream/index-negative', 'stream/calls-as-an-object', 'legacy/empty-beside-a-text'];
    const more = ['ends/function-call-beside-calls', 'text/dsml', 'text/dsml-two-split', 'text/name-alone'];
    const all = [...once, ...more, 'text/python-tag-two', 'stream/call-in-the-text-as-well'];
    const answers = played.filter(({ each }) => all.includes(each.name));
    assert.equal(answers.length, all.length);
    for (const answer of answers) await readAnswer(answer);
  });
});
