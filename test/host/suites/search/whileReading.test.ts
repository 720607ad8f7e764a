import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Uri, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { deleteIndex, folder } from '../support/codeIndex.ts';
import { closeEditors } from '../support/editors.ts';
import { press, quickPick, screenshot, text, texts } from '../support/hands.ts';
import { until } from '../support/until.ts';

const title = '.quick-input-widget .quick-input-title';
const focused = '.quick-input-list .monaco-list-row.focused .quick-input-list-row:first-child .label-name';

function write(path: string, content: string): string {
  const file = join(folder(), path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('A search while files are read', () => {
  before(deleteIndex);
  after(async () => {
    await press('Escape');
    await closeEditors();
    for (const name of ['scratch', 'zz']) rmSync(join(folder(), name), { recursive: true, force: true });
    await deleteIndex();
  });

  it('finds what is near the open file first, counts in the title, lists what comes in, and keeps what is selected', async () => {
    for (let i = 0; i < 4_000; i++) write(`scratch/m${i % 60}/f${i}.ts`, `export const ship${i} = ${i};\n`);
    // The last of the folders by its name, and the last one to be read.
    const near = write('scratch/z/near.ts', '// A harpoon, near the file that is open.\n');
    write('zz/far/away/far.ts', '// A harpoon, harpoons, harpoon: far away from the file that is open.\n');
    await window.showTextDocument(Uri.file(near));
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter('harpoon');
    await quickPick.untilListed('near.ts:1');
    const first = await text(title);
    assert.match(first, /Reading [\d,]+ of 4,\d\d\d files/);
    assert.deepEqual(await quickPick.items(), ['near.ts:1'], 'the far one is not read yet');
    await screenshot('search-while-reading');
    await until('the title counts on', async () => {
      const now = await text(title);
      return now !== first && /Reading [\d,]+ of/.test(now);
    });
    await quickPick.untilListed('far.ts:1');
    await until('all are read', async () => !(await text(title)).includes('Reading'));
    assert.deepEqual(await texts(focused), ['near.ts:1']);
    await screenshot('search-was-read');
  });

  it('says of a question of common words alone that it is one', async () => {
    await quickPick.filter('what is the');
    await until('it is said', async () =>
      (await text(title)).includes('“what is the” is made of words too common to search for'),
    );
    await screenshot('search-common-words');
    await press('Escape');
  });
});
