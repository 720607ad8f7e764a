import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Color, Command, ContextKey, conversationPanelType, transcriptPanelType, View } from '../../src/ids/ids.ts';
import { settingIds } from '../../src/ids/settingIds.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text);
const { contributes } = manifest;
const strings: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
const sorted = (items: Iterable<string>): string[] => [...items].sort();

interface MenuEntry {
  command?: string;
  submenu?: string;
  group?: string;
  when?: string;
}
const menus: Record<string, MenuEntry[]> = contributes.menus;

interface Setting {
  scope: string;
  markdownDescription: string;
}
const settings: Record<string, Setting> = Object.assign(
  {},
  ...contributes.configuration.map((section: { properties: object }) => section.properties),
);

describe('the manifest', () => {
  test('has no marks of Markdown in what VS Code shows as it is', () => {
    const marked: string[] = [];
    const look = (value: unknown, key: string): void => {
      if (Array.isArray(value)) for (const each of value) look(each, key);
      else if (value !== null && typeof value === 'object')
        for (const [name, each] of Object.entries(value)) look(each, name);
      const id = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
      if (id !== undefined && !/^markdown/.test(key) && /[*`]/.test(strings[id] ?? '')) marked.push(id);
    };
    look(manifest, '');
    assert.deepEqual(marked, []);
  });

  test('has the commands, settings, views and colours of ids.ts and settingIds.ts, no more and no fewer', () => {
    const commands = contributes.commands.map((each: { command: string }) => each.command);
    const views = Object.values<{ id: string }[]>(contributes.views).flatMap((each) => each.map(({ id }) => id));
    assert.deepEqual(sorted(commands), sorted(Object.values(Command)));
    assert.deepEqual(sorted(Object.keys(settings)), sorted(settingIds));
    assert.deepEqual(sorted(views), sorted(Object.values(View)));
    assert.deepEqual(
      contributes.colors.map((each: { id: string }) => each.id),
      Object.values(Color),
    );
  });

  test('names only commands and context keys that exist', () => {
    const known = new Set<string>([
      ...Object.values(Command),
      ...settingIds,
      ...Object.values(View),
      // VS Code makes this command for each view.
      ...Object.values(View).map((view) => `${view}.focus`),
      ...Object.values(ContextKey),
      ...Object.values(Color),
      conversationPanelType,
      transcriptPanelType,
      ...contributes.submenus.map((each: { id: string }) => each.id),
      ...contributes.mcpServerDefinitionProviders.map((each: { id: string }) => each.id),
    ]);
    const used = [...`${text} ${Object.values(strings).join(' ')}`.matchAll(/\bparley\.[a-zA-Z0-9.]*[a-zA-Z0-9]/g)].map(
      ([id]) => id,
    );
    const walkthroughs = contributes.walkthroughs.flatMap((each: { id: string; steps: { id: string }[] }) => [
      each.id,
      ...each.steps.map((step) => step.id),
    ]);
    assert.deepEqual(
      sorted(new Set(used.filter((id) => !known.has(id) && !walkthroughs.includes(id) && !id.endsWith('.svg')))),
      [],
    );
  });

  test('keeps every setting out of reach of a workspace', () => {
    for (const [id, { scope }] of Object.entries(settings)) assert.equal(scope, 'machine', id);
  });

  test('has a string for every key, and a use for every string', () => {
    const used = [...text.matchAll(/%([\w.-]+)%/g)].map((match) => match[1] ?? '');
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(strings)));
  });

  test('names only files that exist', () => {
    const named = [...text.matchAll(/"(media\/[^"]+)"/g)].map((match) => match[1] ?? '');
    assert.deepEqual(
      named.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });

  test('wakes up only after start-up, for the marks of translated recordings, and for its own panels and documents', () => {
    const events = [
      'onFileSystem:parley-conversation',
      'onFileSystem:parley-index',
      'onFileSystem:parley-transcript',
      'onStartupFinished',
      `onWebviewPanel:${conversationPanelType}`,
      `onWebviewPanel:${transcriptPanelType}`,
    ];
    assert.deepEqual(sorted(manifest.activationEvents), events);
  });

  test('every command is registered in the code', () => {
    const code = globSync('src/**/*.ts', { cwd: root })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const missing = Object.keys(Command).filter((name) => !new RegExp(`\\bCommand\\.${name}\\b`).test(code));
    assert.deepEqual(missing, []);
  });

  test('has no command with an id that VS Code makes for a view: it could not be moved', () => {
    const made = Object.values(View).flatMap((view) =>
      ['open', 'focus', 'resetViewLocation', 'toggleVisibility', 'removeView'].map((verb) => `${view}.${verb}`),
    );
    assert.deepEqual(
      Object.values<string>(Command).filter((id) => made.includes(id)),
      [],
    );
  });

  test('has keys for macOS wherever one of them is Ctrl, and says all that are there from anywhere in the README, those of a review in the docs', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const docs = readFileSync(join(root, 'docs/commands.md'), 'utf8');
    for (const { key, mac, when } of contributes.keybindings as { key: string; mac?: string; when?: string }[]) {
      if (!key.includes('ctrl+')) continue;
      assert.equal(mac, key.replaceAll('ctrl+', 'cmd+'));
      const shown = key.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
      const page = when?.startsWith('resourceScheme == parley-edit') ? docs : readme;
      assert.ok(page.includes(`\`${shown}\``), shown);
    }
  });

  test('has a name that is not cut off in a notification', () => {
    assert.equal(manifest.displayName, 'Parley');
  });

  test('gives each entry of a menu group a place of its own', () => {
    for (const [menu, entries] of Object.entries(menus)) {
      // The entries of several views stand in one list.
      const places = entries
        .filter(({ group }) => group !== undefined)
        .map(({ group = '', when = '' }) => `${/\bview == [\w.]+/.exec(when)?.[0] ?? ''} ${group}`);
      assert.deepEqual(places, [...new Set(places)], menu);
    }
  });

  test('puts nothing between Rename and Delete Permanently, and what is seldom wanted into a submenu', () => {
    for (const { group = '' } of menus['explorer/context'] ?? []) assert.doesNotMatch(group, /^7_modification/);
    const direct = Object.entries(menus).filter(([, entries]) =>
      entries.some(({ command }) => command === Command.searchWhyFile),
    );
    assert.deepEqual(
      direct.map(([menu]) => menu),
      ['parley.file'],
    );
    for (const menu of ['explorer/context', 'editor/title/context']) {
      assert.ok(menus[menu]?.some(({ submenu }) => submenu === 'parley.file'));
    }
  });

  test('offers what needs a selection in the palette only where there is one', () => {
    for (const { command } of menus['parley.selection'] ?? []) {
      const when = menus['commandPalette']?.find((each) => each.command === command)?.when;
      assert.match(when ?? '', /^editorHasSelection\b/, command);
    }
  });

  test('says what it is, for which VS Code, and what it does with an untrusted or virtual workspace', () => {
    assert.match(strings['extension.description'] ?? '', /^Chat, code search by meaning and audio translation /);
    assert.deepEqual(manifest.categories, ['AI', 'Chat', 'Machine Learning']);
    assert.equal(manifest.engines.vscode, '^1.110.0');
    assert.equal(manifest.extensionKind[0], 'workspace');
    for (const kind of ['untrustedWorkspaces', 'virtualWorkspaces']) {
      const { supported, description } = manifest.capabilities[kind];
      assert.equal(supported, 'limited');
      assert.ok((strings[description.slice(1, -1)] ?? '').length > 40);
    }
  });
});
