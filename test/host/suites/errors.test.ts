import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { errorText } from '../../../src/editor/errorText.ts';
import { errorKinds, ServiceError } from '../../../src/service/errors.ts';

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

  it('offers only actions that VS Code can run', async () => {
    const registered = new Set(await commands.getCommands(true));
    for (const kind of errorKinds) {
      const { action, canRetry } = errorText(new ServiceError(kind, { url }));
      if (action) assert.ok(registered.has(action.command), `${kind}: ${action.command}`);
      assert.ok(action !== undefined || canRetry, `${kind} leaves the user alone`);
    }
  });
});
