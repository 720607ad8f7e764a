import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changeProperties, editTool } from '../../../../src/edits/ask/editTool.ts';
import { readChange, readEditCalls } from '../../../../src/edits/ask/readEditCalls.ts';

const call = (args: unknown) => ({
  name: editTool.function.name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});
const path = 'src/price.ts';
const change = { path, oldText: 'a', newText: 'b' };

describe('calls of the tool for edits', () => {
  it('give replaced lines, new files, files that go, and files that get another path', () => {
    const { changes, odd } = readEditCalls([
      call({ path, old_text: 'a', new_text: 'b' }),
      call({ path, old_text: 'a', new_text: '' }),
      call({ path: 'new.ts', content: 'x\n' }),
      call({ path: 'old.ts', delete: true }),
      call({ path: 'from.ts', rename: 'to.ts' }),
    ]);
    assert.deepEqual(odd, []);
    assert.deepEqual(changes, [
      change,
      { path, oldText: 'a', newText: '' },
      { path: 'new.ts', content: 'x\n' },
      { path: 'old.ts', isDeleted: true },
      { path: 'from.ts', renamedTo: 'to.ts' },
    ]);
  });

  it('are read with the names of other tools, in a list, and with a path for all of the list', () => {
    for (const args of [
      { file_path: path, old_string: 'a', new_string: 'b' },
      { path, oldText: 'a', newText: 'b' },
      { path, old_text: ['a'], new_text: ['b'] },
      { changes: [{ path, old_text: 'a', new_text: 'b' }] },
      { path, edits: [{ search: 'a', replace: 'b' }] },
      [{ path, old_text: 'a', new_text: 'b' }],
    ])
      assert.deepEqual(readEditCalls([call(args)]), { changes: [change], odd: [] }, JSON.stringify(args));
  });

  it('are read where the JSON is in a string, in a fence, or has line breaks within strings', () => {
    const json = JSON.stringify({ path, old_text: 'a', new_text: 'b' });
    for (const text of [JSON.stringify(json), `\`\`\`json\n${json}\n\`\`\``])
      assert.deepEqual(readEditCalls([call(text)]).changes, [change]);
    const broken = `{"path": "${path}", "old_text": "say \\"a\\"\n\tb", "new_text": "c"}`;
    assert.deepEqual(readEditCalls([call(broken)]).changes, [{ path, oldText: 'say "a"\n\tb', newText: 'c' }]);
  });

  it('are told of where there are more than can be placed', () => {
    const many = Array.from({ length: 501 }, (_, at) => ({ path, old_text: `line ${at}`, new_text: '' }));
    const { changes, odd } = readEditCalls([call({ edits: many })]);
    assert.equal(changes.length, 500);
    assert.deepEqual([odd.length, odd[0]?.path, odd[0]?.lines.join().includes('line 500')], [1, path, true]);
  });

  it('fail one by one, each with its path and its text', () => {
    const { changes, odd } = readEditCalls([
      call(`{"path": "${path}", "old_text": "a`),
      call({ path, old_text: 'a', new_text: 'b' }),
      call({ path, old_text: 'a' }),
      call({ old_text: 'a', new_text: 'b' }),
      call('not JSON at all'),
    ]);
    assert.deepEqual(changes, [change]);
    assert.deepEqual(
      odd.map((each) => each.path),
      [path, path, undefined, undefined],
    );
    assert.match(odd[0]?.lines.join('\n') ?? '', /"old_text": "a$/);
  });

  it('say nothing where lines would go, or come, without being told', () => {
    for (const value of [{ path, old_text: 'a' }, { path }, { path: ' ' }, { path, delete: 'yes' }, [], null, 'x'])
      assert.deepEqual(readChange(value), []);
    assert.deepEqual(readChange({ path, old_text: '', new_text: 'x' }), [{ path, content: 'x' }]);
    assert.deepEqual(readChange({ path, rename: path, old_text: 'a', new_text: 'b' }), [change]);
    assert.deepEqual(readChange({ path, rename: 'to.ts', old_text: 'a', new_text: 'b' }), [
      change,
      { path, renamedTo: 'to.ts' },
    ]);
  });

  it('are the same as those of agents, member by member', () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'));
    const tools: readonly { name: string; inputSchema: { properties: Record<string, unknown> } }[] =
      manifest.contributes.languageModelTools;
    const { properties = {} } = tools.find(({ name }) => name === editTool.function.name)?.inputSchema ?? {};
    const { items } = properties['changes'] as { items: { properties: Record<string, unknown> } };
    for (const [name, { type, description }] of Object.entries(changeProperties))
      for (const schema of [properties[name], items.properties[name]] as { type: string; description: string }[])
        assert.deepEqual([schema.type, schema.description], [type, description], name);
    const own = [...Object.keys(changeProperties)].sort();
    const agents = Object.keys(items.properties).filter((name) => !/^(?:old|new)Text$/.test(name));
    assert.deepEqual(agents.sort(), own);
  });
});
