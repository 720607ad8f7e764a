import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IndexStoreError } from '../../../../src/search/team/indexStoreError.ts';
import { parseAddress, shownAddress } from '../../../../src/search/team/postgres/wire/serverAddress.ts';

/** What no error says. */
const secret = 'hunter2';

/** The reason why a text is no address, with its detail. */
function whyNot(text: string): string {
  try {
    parseAddress(text);
    return 'none';
  } catch (error) {
    if (!(error instanceof IndexStoreError)) throw error;
    assert.doesNotMatch(error.message + error.stack, /hunter2/);
    return error.message;
  }
}

describe('the address of a server', () => {
  // https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS, and the suite of pg-connection-string.
  test('is read as libpq reads it', () => {
    const cases: [string, Partial<ReturnType<typeof parseAddress>>][] = [
      ['postgres://u:p@localhost/db', { host: 'localhost', port: 5432, user: 'u', password: 'p', database: 'db' }],
      ['postgresql://other@localhost:5433/otherdb', { user: 'other', port: 5433, password: undefined }],
      ['postgresql://u@localhost', { database: 'u' }],
      ['postgresql://u@localhost/', { database: 'u' }],
      ['postgresql://u@[2001:db8::1234]/database', { host: '2001:db8::1234' }],
      ['postgresql://u@[::1]:1/d', { host: '::1', isEncrypted: false }],
      [
        `postgres://user%2Fname:${'p%40ss%3A%2F%20w'}@host/my%20db`,
        { user: 'user/name', password: 'p@ss:/ w', database: 'my db' },
      ],
      ['postgresql://u@%2Fvar%2Flib%2Fpostgresql/dbname', { host: '/var/lib/postgresql', isEncrypted: false }],
      ['postgresql://u@localhost/dbname?host=/var/lib/postgresql', { host: '/var/lib/postgresql', isEncrypted: false }],
      ['postgresql://u:p@/dbname?host=/var/lib/postgresql', { host: '/var/lib/postgresql', user: 'u', password: 'p' }],
      ['postgresql://u:p@/dbname', { host: 'localhost', database: 'dbname' }],
      ['postgresql://u:p@', { host: 'localhost', database: 'u' }],
      // As Neon and others give it.
      [
        'postgresql://u@db.example/d?sslmode=require&channel_binding=require',
        { isEncrypted: true, bindsChannel: true },
      ],
      ['postgresql://u@db.example/d?channel_binding=disable', { bindsChannel: false }],
      ['postgresql://u@db.example/d', { bindsChannel: false }],
      ['  postgres://u@host/d  ', { host: 'host', isEncrypted: true }],
    ];
    for (const [text, wanted] of cases) {
      const address = parseAddress(text);
      for (const [name, value] of Object.entries(wanted))
        assert.equal(address[name as keyof typeof address], value, text);
    }
  });

  test('is encrypted wherever it is not this machine, whatever it says', () => {
    for (const host of [
      'db.example',
      '10.0.0.1',
      'localhost.example',
      '127.example',
      '128.0.0.1',
      '[2001:db8::1]',
      '0.0.0.0',
    ])
      assert.equal(parseAddress(`postgres://u@${host}/d`).isEncrypted, true, host);
    for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '[::1]'])
      assert.equal(parseAddress(`postgres://u@${host}/d`).isEncrypted, false, host);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      assert.equal(parseAddress(`postgres://u@localhost/d?sslmode=${mode}`).isEncrypted, true, mode);
    for (const mode of ['disable', 'allow', 'prefer']) {
      assert.equal(whyNot(`postgres://u@db.example/d?sslmode=${mode}`), 'no-tls', mode);
      assert.equal(parseAddress(`postgres://u@localhost/d?sslmode=${mode}`).isEncrypted, false, mode);
    }
  });

  test('that is none is refused without a word of it', () => {
    const cases: [string, string][] = [
      ['', 'form'],
      [`${secret}`, 'form'],
      [`host=localhost password=${secret}`, 'form'],
      [`https://u:${secret}@host/d`, 'scheme'],
      [`postgres://u:${secret}@host:99999/d`, 'form'],
      [`postgres://u:${secret}@one,two/d`, 'host'],
      [`postgres://u:${secret}@host/d?channel_binding=maybe`, 'channel_binding'],
      [`postgres://u:${secret}@host:1,other:2/d`, 'form'],
      [`postgres://:${secret}@host/d`, 'user'],
      [`postgres://u:${secret}%ZZ@host/d`, 'escape'],
      ['postgres:///d', 'host'],
      [`postgres://u@host/d?sslmode=${secret}`, 'sslmode'],
      [`postgres://u@host/d?password=${secret}`, 'parameter'],
      [`postgres://u@host/d?options=-c%20x=${secret}`, 'parameter'],
      [`postgres://u@host/d?sslrootcert=/etc/${secret}`, 'parameter'],
      ['postgres://u@host/d?host=db.example&sslmode=disable', ''],
    ];
    for (const [text, detail] of cases)
      assert.equal(whyNot(text), detail === '' ? 'no-tls' : `bad-address (${detail})`, text);
  });

  test('is shown without its password', () => {
    assert.equal(shownAddress(parseAddress(`postgres://u:${secret}@localhost/d`)), 'postgres://u@localhost:5432/d');
    assert.equal(shownAddress(parseAddress(`postgres://a%40b:${secret}@[::1]:7/d`)), 'postgres://a%40b@[::1]:7/d');
  });
});
