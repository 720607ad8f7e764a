import { type Diagnostic, DiagnosticSeverity, l10n, languages, type Uri, workspace } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import type { CompletionItem, CompletionSource } from '../../../context/completionSources.ts';
import { type Problem, problemsText } from '../../../context/problemsText.ts';
import type { ContextAdder } from '../contextAdder.ts';

/** `@problems` of the open file, and `@problems:all`. */
export function createProblemSource(adder: ContextAdder): CompletionSource {
  const item = (
    label: string,
    where: string,
    detail: string,
    all: readonly [Uri, Diagnostic[]][],
  ): CompletionItem[] => {
    const problems = all.flatMap(([uri, list]) => list.map((each) => problemOf(uri, each)));
    if (problems.length === 0) return [];
    const count = problems.length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', problems.length);
    const piece = {
      kind: 'problems',
      label: count,
      path: where,
      languageId: '',
      text: problemsText(problems),
    } as const;
    return [
      { label, detail: `${count}, ${detail}`, icon: 'warning', words: count, choose: () => adder.addText(piece) },
    ];
  };
  return {
    trigger: '@',
    async find(text) {
      const typed = text.toLowerCase();
      const uri = window.activeTextEditor?.document.uri;
      const ofFile = uri === undefined ? [] : languages.getDiagnostics(uri);
      const name = uri === undefined ? '' : workspace.asRelativePath(uri);
      return [
        ...('problems'.startsWith(typed) && uri !== undefined ? item('problems', name, name, [[uri, ofFile]]) : []),
        ...('problems:all'.startsWith(typed)
          ? item('problems:all', 'the workspace', l10n.t('of all files'), languages.getDiagnostics())
          : []),
      ];
    },
  };
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

function problemOf(uri: Uri, { range, severity, message, source, code }: Diagnostic): Problem {
  const number = typeof code === 'object' ? code.value : code;
  return {
    path: workspace.asRelativePath(uri),
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity] ?? (severity === DiagnosticSeverity.Hint ? 'hint' : 'information'),
    message,
    source: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
  };
}
