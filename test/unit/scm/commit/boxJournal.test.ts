import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBoxJournal } from '../../../../src/scm/commit/boxJournal.ts';

describe('the journal of a box', () => {
  it('knows what was written, however late VS Code tells of it', () => {
    const journal = createBoxJournal('draft');
    journal.wrote('A');
    journal.wrote('Add');
    assert.ok(journal.saw('A'));
    journal.wrote('Add it');
    assert.ok(journal.saw('Add'));
    assert.ok(journal.saw('Add it'));
  });

  it('takes a jump to the last text, and line ends of Windows, for what was written', () => {
    const journal = createBoxJournal('');
    for (const text of ['A', 'A\n', 'A\nb']) journal.wrote(text);
    assert.ok(journal.saw('A\r\nb'));
    assert.ok(journal.knows('A\r\n'));
  });

  it('tells what was typed, also where it is a text that stood there before', () => {
    const journal = createBoxJournal('');
    journal.wrote('A');
    journal.wrote('Ad');
    assert.ok(journal.saw('Ad'));
    assert.ok(!journal.saw('A'));
    assert.ok(!journal.saw('Ad!'));
    assert.ok(!journal.knows('Ad!'));
  });

  it('tells what was typed into the text from before', () => {
    const journal = createBoxJournal('draft');
    assert.ok(journal.saw('draft'));
    assert.ok(createBoxJournal('a\r\nb').saw('a\nb'));
    assert.ok(!journal.saw('draft!'));
  });
});
