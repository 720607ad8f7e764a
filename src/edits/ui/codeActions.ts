import {
  CodeActionKind,
  commands,
  type Diagnostic,
  type Disposable,
  DocumentSymbol,
  l10n,
  languages,
  type Range,
  Selection,
  type TextDocument,
  Uri,
} from 'vscode';
import type { LineRange } from '../../base/lines.ts';
import { registerCommand } from '../../editor/commands.ts';
import type { Connection } from '../../editor/connection/connection.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Notices } from '../../editor/notices.ts';
import { plain } from '../../editor/text/plainText.ts';
import { quickFix } from '../../editor/text/shown.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids.ts';
import type { EditRequest } from './target.ts';

/** The longest problem that is sent, in characters. */
const longestProblem = 1_000;
/** A larger function, in lines, is not sent as a whole: some lines around the problem are. */
const largestSymbol = 80;
const linesAround = 5;
/** The problems at one place that have actions; a menu of more is none that is read. */
const mostProblems = 5;
/** The longest problem in a title, in characters. */
const longestTitle = 60;

/** What the actions of a problem are given. */
interface ProblemPlace {
  readonly uri: Uri;
  readonly range: Range;
  readonly problem: string;
}

/** Fix and Explain in the quick-fix menu of a problem, where a service is connected. */
export function registerCodeActions(notices: Notices, connection: Connection): Disposable {
  const owned = new Disposables();
  owned.add(
    languages.registerCodeActionsProvider(
      [{ scheme: 'file' }, { scheme: 'untitled' }, { scheme: 'vscode-notebook-cell' }, { scheme: 'vscode-vfs' }],
      {
        async provideCodeActions(document, _range, { diagnostics, only }) {
          if (only !== undefined && !only.contains(CodeActionKind.QuickFix)) return [];
          if (diagnostics.length === 0 || (await connection.missing('chat')) !== undefined) return [];
          const offered = diagnostics.slice(0, mostProblems);
          return offered.flatMap((diagnostic) => actionsFor(document, diagnostic, offered.length > 1));
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
  );
  owned.add(
    registerCommand(Command.editFixProblem, notices, async (argument) => {
      if (!isPlace(argument)) return;
      const lines = await linesOf(argument);
      const request: EditRequest = { uri: argument.uri, lines, instruction: `Fix this problem: ${argument.problem}` };
      await commands.executeCommand(Command.editStart, request);
    }),
  );
  owned.add(
    registerCommand(Command.editExplainProblem, notices, async (argument) => {
      const editor = window.activeTextEditor;
      if (!isPlace(argument) || editor?.document.uri.toString() !== argument.uri.toString()) return;
      const { first, last } = await linesOf(argument);
      editor.selection = new Selection(first, 0, last, editor.document.lineAt(last).text.length);
      await commands.executeCommand(Command.selectionExplain, { problem: argument.problem });
    }),
  );
  return owned;
}

/** @param isNamed whether the titles say which problem is meant */
function actionsFor({ uri }: TextDocument, diagnostic: Diagnostic, isNamed: boolean) {
  const place: ProblemPlace = { uri, range: diagnostic.range, problem: problemOf(diagnostic) };
  const name = plain(place.problem, { length: longestTitle });
  const fix = isNamed ? l10n.t('Fix with Parley: {0}', name) : l10n.t('Fix with Parley');
  const explain = isNamed ? l10n.t('Explain with Parley: {0}', name) : l10n.t('Explain with Parley');
  return [
    quickFix(fix, Command.editFixProblem, [place], diagnostic),
    quickFix(explain, Command.editExplainProblem, [place], diagnostic),
  ];
}

/** A problem in a line: `Cannot find name 'x'. (ts 2304)`. */
function problemOf({ message, source, code }: Diagnostic): string {
  const number = typeof code === 'object' ? code.value : code;
  const by = [source, number].filter((part) => part !== undefined).join(' ');
  const said = message.slice(0, longestProblem).replaceAll(/\s*\n\s*/g, ' ');
  return by === '' ? said : `${said} (${by})`;
}

function isPlace(value: unknown): value is ProblemPlace {
  return typeof value === 'object' && value !== null && 'uri' in value && value.uri instanceof Uri && 'range' in value;
}

/** The function, or the like, that a problem is in; else some lines around it. */
async function linesOf({ uri, range }: ProblemPlace): Promise<LineRange> {
  const symbols = await commands.executeCommand<unknown[] | undefined>('vscode.executeDocumentSymbolProvider', uri);
  const isWithin = (symbol: DocumentSymbol): boolean => symbol.range.contains(range);
  let best: LineRange | undefined;
  let level = (symbols ?? []).filter((each) => each instanceof DocumentSymbol);
  for (let found = level.find(isWithin); found !== undefined; found = level.find(isWithin)) {
    const { start, end } = found.range;
    // A name within a line is less than what is needed to mend it.
    if (end.line > start.line && end.line - start.line < largestSymbol && best === undefined)
      best = { first: start.line, last: end.line };
    level = found.children;
  }
  if (best !== undefined) return best;
  const { lineCount = 1 } = window.activeTextEditor?.document ?? {};
  return {
    first: Math.max(0, range.start.line - linesAround),
    last: Math.min(lineCount - 1, range.end.line + linesAround),
  };
}
