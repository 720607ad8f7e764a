import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorKinds, ServiceError } from '../../../../src/base/errors.ts';
import { isWarning } from '../../../../src/editor/sentences/isWarning.ts';

test('what passes by itself is a warning, which VS Code takes out of sight; what the user has to mend is an error', () => {
  const warnings = errorKinds.filter((kind) => isWarning(new ServiceError(kind)));
  assert.deepEqual(warnings, [
    'no-address',
    'rate-limit',
    'overloaded',
    'server',
    'dns',
    'refused',
    'proxy',
    'reset',
    'timeout',
  ]);
  assert.equal(isWarning(new Error('reset')), false);
});
