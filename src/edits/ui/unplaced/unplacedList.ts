import { commands, env, l10n, type TextEditor, workspace } from 'vscode';
import { findFile } from '../../../editor/files/findFile.ts';
import { openDocument } from '../../../editor/files/openDocument.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import type { UnclearBlock } from '../../ask/furtherQuestion.ts';
import { codeOf, reasonText, tellingLine } from './unplacedText.ts';

/** Blocks of an answer that have no sure place. */
export interface UnplacedBlocks {
  readonly blocks: readonly UnclearBlock[];
  readonly answer: string;
}

/** A list of the blocks, of which each can be put somewhere by hand. */
export interface UnplacedList {
  /** Remembers what the user is told of. */
  keep(told: UnplacedBlocks): void;
  /** @param argument the `UnplacedBlocks`; without it, those that were told of last */
  show(argument: unknown): Promise<void>;
}

/** The longest line that names a block, in characters. */
const longestLine = 80;

export function createUnplacedList(notices: Notices): UnplacedList {
  /** What was told of last, without what the user has used. */
  let last: UnplacedBlocks = { blocks: [], answer: '' };

  return {
    keep(told) {
      last = told;
    },
    async show(argument) {
      if (isBlocks(argument)) last = argument;
      while (last.blocks.length > 0) {
        const { blocks, answer } = last;
        const chosen = await pickBlock(blocks);
        if (chosen === 'answer') return void (await commands.executeCommand(Command.editShowAnswer, answer));
        if (chosen === undefined) return;
        if (!(await useBlock(chosen, notices))) continue;
        last = { blocks: blocks.filter((each) => each !== chosen), answer };
      }
      if (!isBlocks(argument)) void notices.info(l10n.t('No block of an answer is without a place.'));
    },
  };
}

function isBlocks(value: unknown): value is UnplacedBlocks {
  return typeof value === 'object' && value !== null && 'blocks' in value && Array.isArray(value.blocks);
}

async function pickBlock(blocks: readonly UnclearBlock[]): Promise<UnclearBlock | 'answer' | undefined> {
  const items = blocks.map((block) => ({
    label: tellingLine(block).slice(0, longestLine) || l10n.t('(no code)'),
    description: block.path ?? '',
    detail: reasonText(block),
    block: block as UnclearBlock | 'answer',
  }));
  const whole = { label: l10n.t('Show Answer'), description: '', detail: '', block: 'answer' as const };
  const title = l10n.t('Blocks Without a Place');
  const placeHolder = l10n.t('The block to put somewhere');
  return (await window.showQuickPick([...items, whole], { title, placeHolder, matchOnDescription: true }))?.block;
}

/** Asks what to do with a block, and does it; false where the user went back. */
async function useBlock(block: UnclearBlock, notices: Notices): Promise<boolean> {
  const editor = await editorFor(block);
  const adding = [
    { label: l10n.t('Insert at Cursor'), run: () => insert(block, editor, notices) },
    { label: l10n.t('New File'), run: () => openNew(block) },
  ];
  const isDeletion = block.fresh !== undefined && codeOf(block) === block.lines;
  const actions = [...(isDeletion ? [] : adding), { label: l10n.t('Copy'), run: () => copy(block, notices) }];
  const title = tellingLine(block).slice(0, longestLine);
  const chosen = await window.showQuickPick(actions, { title, placeHolder: reasonText(block) });
  return chosen === undefined ? false : chosen.run();
}

/** The editor of the file that a block names, else the one that was used last; a review is none that can be typed in. */
async function editorFor({ path }: UnclearBlock): Promise<TextEditor | undefined> {
  const uri = path === undefined ? undefined : await findFile(path);
  const shown = window.visibleTextEditors.find((each) => `${each.document.uri}` === `${uri}`);
  if (shown !== undefined) return shown;
  if (uri !== undefined) {
    const document = await openDocument(uri);
    return window.showTextDocument(document, { preview: false });
  }
  const { activeTextEditor, visibleTextEditors } = window;
  return [activeTextEditor, ...visibleTextEditors].find((each) => each !== undefined && canBeTyped(each));
}

function canBeTyped({ document }: TextEditor): boolean {
  return document.isUntitled || workspace.fs.isWritableFileSystem(document.uri.scheme) === true;
}

async function insert(block: UnclearBlock, editor: TextEditor | undefined, notices: Notices): Promise<boolean> {
  if (editor === undefined) {
    void notices.warn(l10n.t('No editor is open to apply to.'), {
      title: l10n.t('Go to File'),
      command: 'workbench.action.quickOpen',
    });
    return false;
  }
  const shown = await window.showTextDocument(editor.document, {
    ...(editor.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }),
    preview: false,
  });
  return shown.edit((builder) => builder.replace(shown.selection, codeOf(block).join('\n')));
}

async function openNew(block: UnclearBlock): Promise<boolean> {
  const known = block.path === undefined ? undefined : await languageOf(block.path);
  const content = `${codeOf(block).join('\n')}\n`;
  const document = await workspace.openTextDocument(known === undefined ? { content } : { content, language: known });
  await window.showTextDocument(document, { preview: false });
  return true;
}

/** The language of the file that a block names, where that is there. */
async function languageOf(path: string): Promise<string | undefined> {
  const uri = await findFile(path);
  return uri === undefined ? undefined : (await workspace.openTextDocument(uri)).languageId;
}

async function copy(block: UnclearBlock, notices: Notices): Promise<boolean> {
  await env.clipboard.writeText(codeOf(block).join('\n'));
  void notices.info(l10n.t('Copied.'));
  return true;
}
