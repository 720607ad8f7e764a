import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launcherText, writeLauncher } from '../../../../src/search/registry/launcher.ts';

describe('the launcher of parley-search', { skip: process.platform === 'win32' }, () => {
  let folder: string;
  const scriptNamed = (name: string): string => {
    const script = join(folder, name);
    writeFileSync(script, 'console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]));');
    return script;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "parley's launcher "));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('starts the bundle with its arguments, whatever is in the paths, and by any Node where its own is gone', async () => {
    const script = scriptNamed("it's $HOME `a`.cjs");
    const path = await writeLauncher(folder, { node: process.execPath, script, version: '1.0.0' });
    const run = (): unknown => JSON.parse(execFileSync(path, ['mcp', 'a b', '$(x)'], { encoding: 'utf8' }));
    assert.deepEqual(run(), ['1', 'mcp', 'a b', '$(x)']);
    assert.equal(statSync(path).mode & 0o777, 0o700);
    const other = await writeLauncher(folder, { node: join(folder, 'gone'), script, version: '1.0.1' });
    assert.equal(other, path);
    assert.deepEqual(run(), [null, 'mcp', 'a b', '$(x)']);
  });

  test('stays with a later version that is there, and is taken over from one that is gone', async () => {
    const data = join(folder, 'two');
    mkdirSync(data);
    const [older, newer] = [scriptNamed('older.cjs'), scriptNamed('newer.cjs')];
    const target = (script: string, version: string) => ({ node: process.execPath, script, version });
    const path = await writeLauncher(data, target(newer, '0.10.0'));
    await writeLauncher(data, target(older, '0.9.0'));
    assert.match(readFileSync(path, 'utf8'), /newer\.cjs/);
    rmSync(newer);
    await writeLauncher(data, target(older, '0.9.0'));
    assert.match(readFileSync(path, 'utf8'), /older\.cjs/);
  });

  test('on Windows is a script of its own, in which no path is a variable', () => {
    const text = launcherText({ node: 'C:\\VS Code\\Code.exe', script: 'C:\\100%\\s.cjs', version: '1.0.0' }, 'win32');
    assert.match(text, /^@echo off\r\nrem Parley 1\.0\.0 .*\r\nsetlocal\r\nset ELECTRON_RUN_AS_NODE=1\r\n/);
    assert.ok(text.includes('"C:\\VS Code\\Code.exe" "C:\\100%%\\s.cjs" %*\r\n'));
  });
});
