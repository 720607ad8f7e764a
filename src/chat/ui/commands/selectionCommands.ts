import { type Disposable, l10n, Range, Selection, type TextEditor } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { unseenFileText } from '../../../editor/files/unseenFile.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import type { Task } from '../../prompts/builtIn.ts';
import { findPrompt } from '../../prompts/findPrompt.ts';
import { attachSelection } from '../context/attach.ts';
import type { ReadPrompts, SourcedPrompt } from '../context/prompts/promptFiles.ts';
import { fillIn, labelOf, type WordedQuestion } from '../context/prompts/usePrompt.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

const taskCommands: readonly (readonly [CommandId, Task])[] = [
  [Command.selectionExplain, 'explain'],
  [Command.selectionFix, 'fix'],
  [Command.selectionDocument, 'document'],
  [Command.selectionWriteTests, 'write-tests'],
];

/** An argument of these commands, given by the button of a notice or by a quick fix. */
interface SelectionArguments {
  readonly selectFile?: boolean;
  /** A problem in the selection, which Explain is about. */
  readonly problem?: string;
}

/**
 * The commands on a selection: each opens the panel with it as context; all but Ask send at once.
 * @param readPrompts gives all prompts, one of which each command uses
 */
export function registerSelectionCommands(notices: Notices, surfaces: Surfaces, readPrompts: ReadPrompts): Disposable {
  const owned = new Disposables();

  const withSelection = (
    id: CommandId,
    run: (editor: TextEditor, problem: string | undefined) => Promise<void>,
  ): void => {
    owned.add(
      registerCommand(id, notices, async (argument) => {
        const editor = window.activeTextEditor;
        if (editor === undefined) {
          const unseen = await unseenFileText();
          return void notices.warn(unseen ?? l10n.t('No editor is open, so there is nothing to ask about.'), {
            title: l10n.t('Open File'),
            command: 'workbench.action.quickOpen',
          });
        }
        const { selectFile: wantsFile, problem } = readArguments(argument);
        if (wantsFile) selectFile(editor);
        if (editor.document.getText(editor.selection).trim() === '') return void warnEmpty(id, editor);
        await run(editor, problem);
      }),
    );
  };

  function warnEmpty(id: CommandId, editor: TextEditor): Promise<void> {
    if (editor.document.getText().trim() === '')
      return notices.warn(l10n.t('This file is empty, so there is nothing to ask about.'));
    return notices.warn(l10n.t('Nothing is selected, so there is nothing to ask about.'), {
      title: l10n.t('Select Whole File'),
      command: id,
      arguments: [{ selectFile: true } satisfies SelectionArguments],
    });
  }

  withSelection(Command.selectionAsk, async (editor) => {
    const { attachments, panel } = surfaces.active;
    attachments.add(attachSelection(editor));
    await panel.focus();
  });
  for (const [id, task] of taskCommands) {
    withSelection(id, async (editor, problem) => {
      const question =
        problem === undefined
          ? questionAbout(editor, task, await readPrompts(), notices)
          : questionOnProblem(editor, problem);
      if (question === undefined) return;
      const { shown, panel } = surfaces.active;
      await panel.focus();
      await shown.askNext(question.text, question.attachments, { label: question.label });
    });
  }
  return owned;
}

/** The prompt of a task, filled in; the selection goes along, also where the user's own prompt does not name it. */
function questionAbout(
  editor: TextEditor,
  task: Task,
  prompts: readonly SourcedPrompt[],
  notices: Notices,
): WordedQuestion | undefined {
  const prompt = findPrompt(prompts, task);
  if (prompt === undefined) return undefined;
  const question = fillIn(prompt, '', prompt.source === 'built-in' ? taskLabel(task) : labelOf(prompt), notices);
  const selection = attachSelection(editor);
  if (question === undefined || question.attachments.some(({ label }) => label === selection.label)) return question;
  return { ...question, attachments: [...question.attachments, selection] };
}

/** A short name of a task, for titles. */
function taskLabel(task: Task): string {
  const labels: Record<Task, string> = {
    explain: l10n.t('Explain'),
    fix: l10n.t('Fix'),
    document: l10n.t('Document'),
    'write-tests': l10n.t('Write Tests'),
  };
  return labels[task];
}

/** The selection with the question what a problem in it means. */
function questionOnProblem(editor: TextEditor, problem: string): WordedQuestion {
  const text = `Explain this problem in the code, and how it can be mended: ${problem}`;
  return { text, label: l10n.t('Explain'), attachments: [attachSelection(editor)] };
}

function readArguments(argument: unknown): SelectionArguments {
  if (typeof argument !== 'object' || argument === null) return {};
  const { selectFile: wantsFile, problem } = argument as { [name in keyof SelectionArguments]?: unknown };
  return {
    ...(wantsFile === true && { selectFile: true }),
    ...(typeof problem === 'string' && { problem }),
  };
}

function selectFile(editor: TextEditor): void {
  const whole = editor.document.validateRange(new Range(0, 0, editor.document.lineCount, 0));
  editor.selection = new Selection(whole.start, whole.end);
}
