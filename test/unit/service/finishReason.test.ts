import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EndMeaning, errorOfReason, isNoReason, meaningOf } from '../../../src/service/chat/finishReason.ts';

/** Words of services, as their documentation or public reports have them. */
const words: Readonly<Record<EndMeaning, readonly string[]>> = {
  complete: ['stop', 'STOP', 'eos', 'end_turn', 'tool_calls', 'function_call', 'stop_sequence', 'COMPLETE', 'tool_use'],
  limit: ['length', 'MAX_TOKENS', 'max tokens', 'model_length', 'model_context_window_exceeded', 'ERROR_LIMIT'],
  filtered: ['content_filter', 'sensitive', 'SAFETY', 'PROHIBITED_CONTENT', 'guardrail_intervened', 'refusal'],
  failed: ['error', 'network_error', 'MALFORMED_FUNCTION_CALL'],
  overloaded: ['insufficient_system_resource'],
  aborted: ['abort', 'USER_CANCEL'],
  unknown: ['pause_turn', 'OTHER', 'constructor', '__proto__', 'toString', 'langweilig', '内容'],
};

describe('The reason for which an answer ended', () => {
  for (const [meaning, all] of Object.entries(words))
    for (const word of all)
      it(`means ${meaning}: ${word}`, () => {
        assert.equal(meaningOf(word), meaning);
      });

  it('is a failure of the service where it is `error`, in any writing', () => {
    assert.deepEqual(['error', 'ERROR', ' Error '].map(meaningOf), ['failed', 'failed', 'failed']);
  });

  it('is a failure, a filter, a lack of room or an abort in the words of services', () => {
    assert.deepEqual(['network_error', 'sensitive', 'insufficient_system_resource', 'abort'].map(meaningOf), [
      'failed',
      'filtered',
      'overloaded',
      'aborted',
    ]);
  });

  it('is no bad end where none is said', () => {
    assert.equal(meaningOf(undefined), 'complete');
    assert.equal(errorOfReason(undefined, undefined), undefined);
  });

  it('is none while the answer goes on', () => {
    for (const word of ['', 'null', 'None', ' NULL ', 'FINISH_REASON_UNSPECIFIED']) assert.ok(isNoReason(word), word);
    for (const word of ['stop', 'nullable', 'nonesuch']) assert.ok(!isNoReason(word), word);
  });

  it('is an error where nothing of the answer can be used, and none where nobody knows what it means', () => {
    const kinds = [
      'length',
      'sensitive',
      'network_error',
      'insufficient_system_resource',
      'abort',
      'pause_turn',
      'stop',
    ];
    assert.deepEqual(
      kinds.map((word) => errorOfReason(word, 'https://a.example')?.kind),
      ['truncated', 'content-filter', 'server', 'overloaded', 'truncated', undefined, undefined],
    );
  });
});
