import { posix } from 'node:path';
import { l10n, TabInputText, type Uri, workspace } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import type { RootFile } from '../../../../workspace/workspaceFiles.ts';
import type { CompletionItem, CompletionSource } from '../../../context/completionSources.ts';
import { rankPaths, type SearchablePath } from '../../../context/rankPaths.ts';
import { type ContextAdder, uriOfFile } from '../contextAdder.ts';
import type { SearchableFiles } from './searchableFiles.ts';
import { step, withinStep } from './steps.ts';

/** The most files among other choices, and of a step of their own. */
const [mostAmongOthers, mostOfStep] = [8, 50];
/** The most open editors whose names stay in the sentence. */
const mostNamed = 5;

/** `@file:` and files whose names are typed at once (for nothing typed yet, those that are open); `@folder:`, `@image:` and `@editors`. */
export function createFileSources(list: SearchableFiles, adder: ContextAdder): CompletionSource[] {
  const item = (path: string, uri: () => Uri, icon: string): CompletionItem => {
    const folder = posix.dirname(path);
    const name = posix.basename(path);
    return {
      label: name,
      detail: folder === '.' ? '' : folder,
      icon,
      words: icon === 'folder' ? `${name}/` : name,
      choose: () => adder.addFiles([uri()]),
    };
  };
  const ranked = (found: Iterable<SearchablePath<RootFile>>, text: string, limit: number, icon: string) =>
    rankPaths(found, text, limit).map(({ path, of }) => item(path, () => uriOfFile(of), icon));

  const files: CompletionSource = {
    trigger: '@',
    async find(text) {
      const named = withinStep(text, 'file:');
      if (named === '') return openFiles().map((uri) => item(workspace.asRelativePath(uri), () => uri, 'file'));
      if (named !== undefined) return ranked(await list.files(), named, mostOfStep, 'file');
      const isDirect = text !== '' && !text.includes(':');
      const direct = isDirect ? ranked(await list.files(), text, mostAmongOthers, 'file') : [];
      return [...step(text, 'file:', l10n.t('A file'), 'file'), ...direct];
    },
  };
  const folders: CompletionSource = {
    trigger: '@',
    async find(text) {
      const named = withinStep(text, 'folder:');
      if (named === undefined) return step(text, 'folder:', l10n.t('The names of the files in a folder'), 'folder');
      return ranked(await list.folders(), named, mostOfStep, 'folder');
    },
  };
  const images: CompletionSource = {
    trigger: '@',
    async find(text) {
      const named = withinStep(text, 'image:');
      if (named === undefined) return step(text, 'image:', l10n.t('An image, for a model that sees'), 'file-media');
      const all = (await list.files()).filter(({ lower }) => /\.(png|jpe?g|gif|webp|bmp|avif)$/.test(lower));
      return ranked(all, named, mostOfStep, 'file-media');
    },
  };
  const editors: CompletionSource = {
    trigger: '@',
    async find(text) {
      const open = openFiles();
      if (!'editors'.startsWith(text.toLowerCase()) || open.length === 0) return [];
      const detail = open.length === 1 ? l10n.t('The open editor') : l10n.t('All {0} open editors', open.length);
      const words = open.length > mostNamed ? '' : open.map(({ path }) => posix.basename(path)).join(', ');
      return [{ label: 'editors', detail, icon: 'files', words, choose: () => adder.addFiles(open) }];
    },
  };
  return [files, folders, editors, images];
}

/** The files in tabs, the active editor's first. */
function openFiles(): Uri[] {
  const inTabs = window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : [])),
  );
  const active = window.activeTextEditor?.document.uri;
  const all = new Map([...(active === undefined ? [] : [active]), ...inTabs].map((uri) => [uri.toString(), uri]));
  return [...all.values()];
}
