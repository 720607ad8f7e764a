import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, test } from 'node:test';
import { settingIds } from '../../src/ids/settingIds.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));
const pages = globSync('docs/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));

/** A command, or its place in a menu, as the manifest has it. */
interface Entry {
  command: string;
  title: string;
  when?: string;
}

/** Every link and picture of a page: `[text](target)`, without those to a web address. */
function linksOf(text: string): string[] {
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '');
  const targets = [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the README', () => {
  test('has at most 1,075 words', () => {
    const words = readme.split(/\s+/).filter((word) => word !== '').length;
    assert.ok(words <= 1_075, `${words} words`);
  });

  test('states the VS Code version that the manifest asks for', () => {
    const version = /^\^(\d+\.\d+)\.0$/.exec(manifest.engines.vscode)?.[1];
    assert.ok(readme.includes(`VS Code ${version} or newer`));
  });

  test('shows a picture for each job, and each is in the VSIX', () => {
    const pictures = linksOf(readme).filter((target) => target.endsWith('.png'));
    assert.ok(pictures.length >= 3);
    const shipped = [...read('.vscodeignore').matchAll(/^!(.+)$/gm)].map((match) => match[1] ?? '');
    assert.deepEqual(
      pictures.filter((picture) => !shipped.some((pattern) => matchesGlob(picture, pattern))),
      [],
    );
  });
});

describe('the pages of docs/', () => {
  test('are each linked from the README or from CONTRIBUTING', () => {
    const linked = [...linksOf(readme), ...linksOf(read('CONTRIBUTING.md'))];
    assert.ok(pages.length >= 8);
    assert.deepEqual(
      pages.filter((page) => !linked.includes(page)),
      [],
    );
  });

  test('each begin with one sentence that says what is in them, where the README leads to them', () => {
    const linked = linksOf(readme).filter((target) => pages.includes(target));
    assert.deepEqual(
      linked.filter((page) => !/^# .+\n\nThis page [^.]+\.\n\n/.test(read(page))),
      [],
    );
  });

  test('name each message of the troubleshooting tables exactly as the code says it', () => {
    const strings = Object.keys(JSON.parse(read('l10n/bundle.l10n.json')));
    const messages = [...read('docs/troubleshooting.md').matchAll(/^\| \*(.+?)\* \|/gm)].map((match) => match[1] ?? '');
    assert.ok(messages.length >= 50);
    assert.deepEqual(
      messages.filter((message) => !strings.includes(message)),
      [],
    );
  });

  test('list every setting with its default', () => {
    const properties = Object.assign(
      {},
      ...[manifest.contributes.configuration].flat().map(({ properties }) => properties),
    );
    const settings = read('docs/settings.md');
    const asCell = (value: unknown): string =>
      value === '' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\` `;
    assert.deepEqual(
      settingIds.filter((id) => !settings.includes(`| \`${id}\` | ${asCell(properties[id].default)}| `)),
      [],
    );
  });

  test('list every command of the Command Palette', () => {
    const { commands, menus }: { commands: Entry[]; menus: { commandPalette: Entry[] } } = manifest.contributes;
    const titles = JSON.parse(read('package.nls.json'));
    const hidden = menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command);
    const rows = read('docs/commands.md')
      .split('\n')
      .map((line) => line.split(' | ')[0] ?? '');
    assert.deepEqual(
      commands
        .filter(({ command }) => !hidden.includes(command))
        .map(({ title }) => `Parley: ${titles[title.slice(1, -1)]}`)
        .filter((title) => !rows.some((row) => row.slice(2).split(', ').includes(title))),
      [],
    );
  });

  test('list every tool for agents, by the name that a prompt uses', () => {
    const tools: { toolReferenceName: string }[] = manifest.contributes.languageModelTools;
    const rows = [...read('docs/vscode-chat.md').matchAll(/^\| `#(\w+)` \|/gm)].map((match) => match[1] ?? '');
    assert.deepEqual(rows.toSorted(), tools.map(({ toolReferenceName }) => toolReferenceName).toSorted());
  });

  test('list every code with which a command may fail', () => {
    const api = read('src/editor/api.ts');
    const page = read('docs/for-extensions.md');
    const codes = [...api.slice(api.indexOf('type ErrorCode')).matchAll(/\| '([\w-]+)'/g)].map(
      (match) => match[1] ?? '',
    );
    assert.ok(codes.length > 30);
    assert.deepEqual(
      codes.filter((code) => !page.includes(`\`${code}\``)),
      [],
    );
  });
});

describe('the README and the pages of docs/', () => {
  test('link only to files and headings that exist', () => {
    const broken = ['README.md', ...pages].flatMap((page) =>
      linksOf(read(page))
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const file = path === '' ? page : join(dirname(page), path);
          if (!existsSync(join(root, file))) return true;
          return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
        })
        .map((target) => `${page}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  test('show pictures of moderate size, and every picture of the tour', () => {
    const shown = ['README.md', ...pages].flatMap((page) =>
      linksOf(read(page))
        .filter((target) => target.endsWith('.png'))
        .map((target) => join(dirname(page), target).replaceAll('\\', '/')),
    );
    assert.deepEqual(
      shown.filter((picture) => statSync(join(root, picture)).size >= 250_000),
      [],
    );
    const pictures = globSync('media/tour/*.png', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
    assert.deepEqual(
      pictures.filter((picture) => !shown.includes(picture)),
      [],
    );
  });
});
