import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { entropy, findSecret } from '../../../src/workspace/secrets.ts';
import { assertGrowsNoFaster } from '../../support/growth.ts';

/** Letters and digits as if drawn by chance, always the same. */
function random(length: number, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'): string {
  let state = 20_261_121;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)];
  }).join('');
}
const hex = (length: number): string => random(length, '0123456789abcdef');
const upper = (length: number): string => random(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789');

// Put together here, so that no scanner takes this file for what it looks for.
const keys: Record<string, string> = {
  'AWS id': `AKIA${upper(16)}`,
  'AWS secret': `aws_secret_access_key = ${random(40)}`,
  'Azure storage': `AccountName=a;AccountKey=${random(86)}==;`,
  'Azure signature': `https://a.blob.core.windows.net/c?sv=2024&sig=${random(43)}%3D`,
  'Azure client': `${random(3)}8Q~${random(34)}`,
  Stripe: `sk_live_${random(24)}`,
  'Stripe webhook': `whsec_${random(32)}`,
  Slack: `xoxb-${random(12)}-${random(24)}`,
  'Slack webhook': `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${random(24)}`,
  GitHub: `token: ghp_${random(36)}`,
  GitLab: `glpat-${random(20)}`,
  OpenAI: `sk-proj-${random(48)}`,
  Anthropic: `sk-ant-${random(48)}`,
  'Hugging Face': `hf_${random(34)}`,
  Google: `AIza${random(35)}`,
  npm: `//registry.example/:_authToken=npm_${random(36)}`,
  SendGrid: `SG.${random(22)}.${random(43)}`,
  'web token': `eyJ${random(20)}.eyJ${random(30)}.${random(43)}`,
  'private key': `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${random(64)}\n${random(64)}\n`,
  'private key in a string': `"-----BEGIN ${'PRIVATE'} KEY-----\\n${random(64)}\\n"`,
  'a database': `DATABASE_URL=postgres://app:${random(12)}@db.internal:5432/app`,
  'a database server': `Server=db.internal;User Id=app;Password=${random(12)};`,
  'a login': `machine api.host login app password ${random(12)}`,
  'by its name, in code': `const apiKey = '${random(32)}';`,
  'by its name, in a file of settings': `client_secret: ${random(32)}\n`,
  'by its name, hexadecimal': `"auth_token": "${hex(40)}"`,
};

for (const [name, text] of Object.entries(keys)) {
  test(`a secret is seen: ${name}`, () => {
    assert.equal(findSecret(`one\ntwo\n${text}\n`)?.line, 3, text);
  });
}

test('what is said of a secret is its kind, its service and its line, never its text', () => {
  assert.deepEqual(findSecret(`a\n${keys['Slack webhook']}`), { kind: 'service-key', service: 'Slack', line: 2 });
  assert.deepEqual(findSecret(keys['private key'] ?? ''), { kind: 'private-key', line: 1 });
});

test('letters in a row in the middle of a key make no placeholder of it; a row from its beginning does', () => {
  const [before, after] = [random(18), random(18)];
  for (const key of [`${before}abcdef${after}`, `${before}ABCDEF${after}`, `${before}x7abcdefq${after}`])
    assert.equal(findSecret(`const key = 'sk-proj-${key}';\n`)?.kind, 'service-key', key);
  assert.equal(findSecret(`client_secret: Q9${random(14)}Kabcdef7${random(10)}z3\n`)?.kind, 'assigned');
  for (const sample of ['abcdef', 'abcdefghijklmnopqrstuvwxyz', '0123456789abcdef'])
    assert.equal(findSecret(`const key = 'sk-proj-${sample}${random(30)}';\n`), undefined, sample);
});

test('talk about secrets is no secret', () => {
  const harmless = [
    'const apiKey = process.env.API_KEY;',
    "const apiKey = 'your-api-key-goes-here-1234';",
    'AKIAIOSFODNN7EXAMPLE',
    'sk-test',
    'ghp_short',
    `if (text.startsWith('-----BEGIN ${'PRIVATE'} KEY-----')) return read(text);`,
    'postgres://user:password@localhost:5432/db',
    'postgres://user:$PASSWORD@host/db',
    'mongodb://<user>:<password>@host',
    "const tokenKind = 'com.company.product.SomeVeryLongClassName2';",
    'access_token: AccessTokenProviderFactoryBeanV2Impl',
    "secretName: 'my-application-production-secret-v2-2024'",
    "integrity: 'sha512-abc'",
    'password = getPasswordFromTheKeychainOfTheUser2()',
  ];
  for (const text of harmless) assert.equal(findSecret(text), undefined, text);
});

test('this repository holds no secret, in its sources and in those of some packages', () => {
  const root = join(import.meta.dirname, '../..', '..');
  const folders = ['src', 'test/unit', 'test/service', 'node_modules/undici/lib', 'node_modules/zod/src/v4/classic'];
  let files = 0;
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|js|mjs|json|md)$/.test(entry.name)) continue;
      files++;
      const found = findSecret(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      assert.equal(found, undefined, `${entry.name}: ${JSON.stringify(found)}`);
    }
  }
  assert.ok(files > 200, String(files));
});

test('looking for secrets takes a time that grows with the text and no faster', async () => {
  for (const piece of ['a.', 'token-', 'secret_', '-----BEGIN A ', 'eyJ', 'machine ', 'Server=', 'postgres://a']) {
    await assertGrowsNoFaster((length) => findSecret(piece.repeat(length / piece.length)), 250_000, piece);
  }
});

test('entropy is bits a character', () => {
  assert.equal(entropy('aaaa'), 0);
  assert.equal(entropy('abcd'), 2);
});
