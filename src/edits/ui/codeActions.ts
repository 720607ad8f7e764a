import {
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
import { Disposables } from '../../editor/disposables.ts';
import { problemActions, type Services } from '../../editor/services.ts';
import { quickFix } from '../../editor/text/shown.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids/ids.ts';
import type { EditRequest } from './target.ts';

/** The longest problem that is sent, in characters. */
const longestProblem = 1_000;
/** A larger function, in lines, is not sent as a whole: some lines around the problem are. */
const largestSymbol = 80;
const linesAround = 5;
/** The most problems of a line that are sent. */
const mostProblems = 10;

/** What the actions of a line are given: its problems, each in a line of its own. */
interface ProblemPlace {
  readonly uri: Uri;
  readonly range: Range;
  readonly problems: readonly string[];
}

/** One Fix and one Explain in the quick-fix menu of a line with problems, where a service is connected. */
export function registerCodeActions({ notices, connection, give }: Services): Disposable {
  const owned = new Disposables();
  owned.add(
    give(problemActions, {
      async provideCodeActions(document, _range, { diagnostics }) {
        if ((await connection.missing('chat')) !== undefined) return [];
        return actionsFor(document, problemsOfLines(document, diagnostics));
      },
    }),
  );
  owned.add(
    registerCommand(Command.editFixProblem, notices, async (argument) => {
      if (!isPlace(argument)) return;
      const lines = await linesOf(argument);
      const request: EditRequest = { uri: argument.uri, lines, instruction: instructionFor(argument) };
      await commands.executeCommand(Command.editStart, request);
    }),
  );
  owned.add(
    registerCommand(Command.editExplainProblem, notices, async (argument) => {
      const editor = window.activeTextEditor;
      if (!isPlace(argument) || editor?.document.uri.toString() !== argument.uri.toString()) return;
      const { first, last } = await linesOf(argument);
      editor.selection = new Selection(first, 0, last, editor.document.lineAt(last).text.length);
      await commands.executeCommand(Command.selectionExplain, { problem: listed(argument.problems) });
    }),
  );
  return owned;
}

/** The problems, and those beside them in their lines. VS Code offers actions for one place in a line. */
function problemsOfLines({ uri }: TextDocument, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const isBeside = ({ range }: Diagnostic): boolean =>
    diagnostics.some((each) => each.range.start.line === range.start.line);
  const others = languages.getDiagnostics(uri).filter((each) => isBeside(each) && !diagnostics.some(isSame(each)));
  return [...diagnostics, ...others].slice(0, mostProblems);
}

function isSame(one: Diagnostic): (other: Diagnostic) => boolean {
  return (other) => other.range.isEqual(one.range) && problemOf(other) === problemOf(one);
}

function actionsFor({ uri }: TextDocument, diagnostics: readonly Diagnostic[]) {
  const range = diagnostics.map((each) => each.range).reduce((all, each) => all.union(each));
  const place: ProblemPlace = { uri, range, problems: [...new Set(diagnostics.map(problemOf))] };
  return [
    quickFix(l10n.t('Fix with Parley'), Command.editFixProblem, [place], diagnostics),
    quickFix(l10n.t('Explain with Parley'), Command.editExplainProblem, [place], diagnostics),
  ];
}

function instructionFor({ problems }: ProblemPlace): string {
  return problems.length === 1 ? `Fix this problem: ${problems[0]}` : `Fix these problems:${listed(problems)}`;
}

/** One problem as it is, several as a list below. */
function listed(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? '') : problems.map((each) => `\n- ${each}`).join('');
}

/** A problem in a line: `Cannot find name 'x'. (ts 2304)`. */
function problemOf({ message, source, code }: Diagnostic): string {
  const number = typeof code === 'object' ? code.value : code;
  const by = [source, number].filter((part) => part !== undefined).join(' ');
  const said = message.slice(0, longestProblem).replaceAll(/\s*\n\s*/g, ' ');
  return by === '' ? said : `${said} (${by})`;
}

function isPlace(value: unknown): value is ProblemPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uri' in value &&
    value.uri instanceof Uri &&
    'range' in value &&
    'problems' in value
  );
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
