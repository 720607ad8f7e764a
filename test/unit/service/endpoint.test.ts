import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { ApiKey, cleanApiKey } from '../../../src/service/apiKey.ts';
import { isLoopback, normaliseBaseUrl, originOf } from '../../../src/service/endpoint.ts';

describe('quirk 42: an address', () => {
  const put: [typed: string, right: string][] = [
    ['https://host/openai/v1', 'https://host/openai/v1'],
    ['https://host/openai/v1/', 'https://host/openai/v1'],
    ['  https://host/openai/v1//  ', 'https://host/openai/v1'],
    ['"https://host/openai/v1"', 'https://host/openai/v1'],
    ['https://host/openai/v1/chat/completions', 'https://host/openai/v1'],
    ['https://host/openai/v1/chat/completions/', 'https://host/openai/v1'],
    ['https://host/v1/embeddings?api-version=1#top', 'https://host/v1'],
    ['https://host/v1/audio/translations', 'https://host/v1'],
    ['https://host/v1/models', 'https://host/v1'],
    ['HTTPS://Host.Example/V1', 'https://host.example/V1'],
    ['host.example/v1', 'https://host.example/v1'],
    ['localhost:11434/v1', 'http://localhost:11434/v1'],
    ['127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1'],
    ['https://host:443/v1', 'https://host/v1'],
    ['https://host', 'https://host'],
  ];
  for (const [typed, right] of put) {
    test(`${JSON.stringify(typed)} is put right`, () => {
      assert.deepEqual(normaliseBaseUrl(typed), { ok: true, baseUrl: right });
    });
  }

  const refused: [typed: string, problem: string][] = [
    ['', 'empty'],
    ['   ', 'empty'],
    ['not an address', 'invalid'],
    ['https://', 'invalid'],
    ['ftp://host/v1', 'scheme'],
    ['file:///etc/passwd', 'invalid'],
    ['https://user:secret@host/v1', 'credentials'],
  ];
  for (const [typed, problem] of refused) {
    test(`${JSON.stringify(typed)} is refused as ${problem}`, () => {
      assert.deepEqual(normaliseBaseUrl(typed), { ok: false, problem });
    });
  }

  test('that was put right stays as it is', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (typed) => {
        const first = normaliseBaseUrl(typed);
        if (!first.ok) return;
        assert.deepEqual(normaliseBaseUrl(first.baseUrl), first);
        assert.ok(!first.baseUrl.endsWith('/'));
      }),
    );
  });

  test('knows its origin, and whether it is this machine', () => {
    assert.equal(originOf('https://host:8443/openai/v1'), 'https://host:8443');
    for (const here of [
      'http://localhost:1/v1',
      'http://127.0.0.1/v1',
      'http://[::1]:80/v1',
      'http://a.localhost/v1',
    ]) {
      assert.ok(isLoopback(here), here);
    }
    for (const elsewhere of [
      'https://127.0.0.1.example.com/v1',
      'https://localhost.example/v1',
      'http://10.0.0.1/v1',
    ]) {
      assert.ok(!isLoopback(elsewhere), elsewhere);
    }
  });
});

describe('quirk 44: a key', () => {
  for (const pasted of [
    'sk-abc123',
    ' sk-abc123\n',
    '"sk-abc123"',
    'Bearer sk-abc123',
    "'bearer  sk-abc123'",
    'Authorization: Bearer sk-abc123',
  ]) {
    test(`pasted as ${JSON.stringify(pasted)} is cleaned`, () => assert.equal(cleanApiKey(pasted), 'sk-abc123'));
  }
  for (const pasted of ['', '   ', '""', 'Bearer ', 'two words', 'schlüssel', 'a\nb', 'a\u0000b']) {
    test(`${JSON.stringify(pasted)} is no key`, () => assert.equal(cleanApiKey(pasted), undefined));
  }
  test('shows itself in no text', () => {
    const key = new ApiKey('sk-secret');
    assert.doesNotMatch(
      `${key} ${JSON.stringify({ key })} ${inspect({ key }, { depth: 9 })} ${Object.entries(key)}`,
      /sk-secret/,
    );
    assert.equal(key.reveal(), 'sk-secret');
  });
});
