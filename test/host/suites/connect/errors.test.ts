import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { errorKinds, ServiceError } from '../../../../src/base/errors.ts';
import { errorText } from '../../../../src/editor/sentences/errorText.ts';
import { subject } from '../support/subject.ts';

describe('Each kind of error', () => {
  const url = 'https://host.example/v1/chat/completions';

  it('has one plain sentence, whatever is known of it', () => {
    for (const kind of errorKinds) {
      const hints = [undefined, 'chat', 'embeddings', 'audio', 'credentials'].map((hint) => ({ url, hint }));
      const known = { url, status: 503, message: 'Too much at once', retryAfterMs: 90_000, hint: 'Sign in' };
      for (const details of [{}, ...hints, known, { ...known, retryAfterMs: 400_000 }]) {
        const { sentence } = errorText(new ServiceError(kind, details));
        assert.match(sentence, /^\S.+[.”)]$/s, `${kind}: ${sentence}`);
        assert.doesNotMatch(sentence, /undefined|null|\[object|\{\d\}|!|\n/, `${kind}: ${sentence}`);
      }
    }
  });

  it('of the network names the setting that decides it (quirk 41)', () => {
    const sentence = (kind: 'proxy' | 'tls' | 'dns', hint: string) =>
      errorText(new ServiceError(kind, { url, hint })).sentence;
    assert.match(sentence('proxy', '407'), /password.*http\.proxy/);
    assert.match(sentence('proxy', '403'), /http\.proxy .*403/);
    const waiting = (retryAfterMs: number) => errorText(new ServiceError('rate-limit', { url, retryAfterMs })).sentence;
    assert.match(waiting(17_000), /Try again in 17 s\.$/);
    assert.match(waiting(600_000), /Try again in 10 min\.$/);
    assert.match(waiting(9 * 3_600_000), /Try again at .*\d:\d\d/);
    assert.match(sentence('tls', 'SELF_SIGNED_CERT_IN_CHAIN'), /not trusted.*http\.systemCertificates/);
    assert.match(sentence('tls', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), /wants a certificate of this machine/);
    assert.match(sentence('tls', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'), /refused the secure connection/);
    assert.match(sentence('tls', 'ERR_SSL_UNSUPPORTED_PROTOCOL'), /version of TLS that is no longer safe/);
    assert.match(sentence('tls', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'), /neither HTTP\/1\.1 nor HTTP\/2/);
    assert.match(sentence('tls', 'CERT_HAS_EXPIRED'), /has expired/);
    assert.match(sentence('tls', 'ERR_SSL_WRONG_VERSION_NUMBER'), /http:\/\//);
    assert.match(sentence('dns', 'ENOTFOUND'), /host\.example.*http\.proxy/);
  });

  it('names the address to try where nothing was found, and what a model wrote in vain', () => {
    const hint = 'https://host.example/v1';
    assert.match(
      errorText(new ServiceError('not-found', { url, hint })).sentence,
      /may have to be https:\/\/host\.example\/v1\./,
    );
    const failed = new ServiceError('bad-request', { url }, { failedGeneration: '{' });
    assert.match(errorText(failed).sentence, /tool call/);
  });

  it('offers only actions that VS Code can run', async () => {
    await subject().activate();
    const registered = new Set(await commands.getCommands(true));
    for (const kind of errorKinds) {
      const { action, canRetry } = errorText(new ServiceError(kind, { url }));
      if (action) assert.ok(registered.has(action.command), `${kind}: ${action.command}`);
      assert.ok(action !== undefined || canRetry, `${kind} leaves the user alone`);
    }
  });
});
