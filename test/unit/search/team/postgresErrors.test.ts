import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { IndexStoreError } from '../../../../src/search/team/indexStoreError.ts';
import { storeError } from '../../../../src/search/team/postgres/wire/postgresErrors.ts';

const secret = 'hunter2';
const coded = (code: string): Error => Object.assign(new Error(`${secret} at postgres://u:${secret}@host`), { code });

test('an error of the server, the driver or the network has one reason, and none of its words', () => {
  const cases: [unknown, string][] = [
    // https://www.postgresql.org/docs/current/errcodes-appendix.html
    [coded('28P01'), 'refused-login'],
    [coded('28000'), 'refused-login'],
    [coded('3D000'), 'no-database'],
    [coded('42501'), 'no-rights'],
    [coded('25006'), 'read-only'],
    [coded('53100'), 'full'],
    [coded('53200'), 'full'],
    [coded('53300'), 'busy'],
    [coded('55P03'), 'busy'],
    [coded('40P01'), 'busy'],
    [coded('40001'), 'busy'],
    [coded('57014'), 'timeout'],
    [coded('57P01'), 'unreachable'],
    [coded('57P03'), 'unreachable'],
    [coded('08006'), 'unreachable'],
    [coded('XX000'), 'unexpected'],
    [coded('42P01'), 'unexpected'],
    [coded('22021'), 'unexpected'],
    [coded('EPIPE'), 'unreachable'],
    [coded('ECONNREFUSED'), 'unreachable'],
    [coded('ENOTFOUND'), 'unreachable'],
    [coded('EAI_AGAIN'), 'unreachable'],
    [new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), 'unreachable'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'bad-certificate'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'bad-certificate'],
    [coded('CERT_HAS_EXPIRED'), 'bad-certificate'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'bad-certificate'],
    // What pg says without a code.
    [new Error('The server does not support SSL connections'), 'no-tls'],
    [new Error('Connection terminated unexpectedly'), 'unreachable'],
    [new Error('timeout expired'), 'unreachable'],
    [new Error('timeout exceeded when trying to connect'), 'busy'],
    [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), 'refused-login'],
    [new Error('hunter2'), 'unexpected'],
    ['hunter2', 'unexpected'],
    [undefined, 'unexpected'],
    [coded('hunter2'), 'unexpected'],
  ];
  for (const [error, reason] of cases) {
    const found = storeError(error);
    assert.equal(found.reason, reason, inspect(error));
    assert.doesNotMatch(inspect(found, { depth: 9, showHidden: true }) + found.message, /hunter2/);
  }
});

test('after the signal the reason is the signal, unless it is known better', () => {
  const signal = AbortSignal.abort();
  assert.equal(storeError(coded('57014'), signal).reason, 'cancelled');
  assert.equal(storeError(new Error('Connection terminated'), signal).reason, 'cancelled');
  assert.equal(storeError(new IndexStoreError('too-old', '14'), signal).detail, '14');
});
