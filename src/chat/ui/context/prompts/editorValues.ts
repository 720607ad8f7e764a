import { basename } from 'node:path';
import { DiagnosticSeverity, languages, type TextDocument } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import type { Values } from '../../../prompts/expand.ts';
import { attachFile, attachSelection } from '../attach.ts';

/** Problems of a file that are told, and characters of each. */
const mostProblems = 100;
const longestProblem = 500;

/** What stands behind the variables of a prompt in the editor that is open. */
export function editorValues(input: string): Values {
  // A chat in a tab is the active editor while something is typed into it.
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  const isSelected = editor !== undefined && editor.document.getText(editor.selection).trim() !== '';
  const hasText = editor !== undefined && editor.document.getText().trim() !== '';
  return {
    selection: () => (isSelected ? attachSelection(editor) : undefined),
    file: () => (hasText ? attachFile(editor) : undefined),
    language: () => editor?.document.languageId,
    problems: () => editor && problemsOf(editor.document),
    input: () => input,
  };
}

/** A line for each problem, the gravest first; undefined where there is none. */
function problemsOf(document: TextDocument): string | undefined {
  const found = [...languages.getDiagnostics(document.uri)].sort(
    (one, other) => one.severity - other.severity || one.range.start.compareTo(other.range.start),
  );
  if (found.length === 0) return undefined;
  const name = basename(document.uri.path);
  const lines = found.slice(0, mostProblems).map(({ range, severity, message, source }) => {
    const words = message.replace(/\s+/g, ' ').slice(0, longestProblem);
    const kind = DiagnosticSeverity[severity]?.toLowerCase();
    return `- ${name}, line ${range.start.line + 1}: ${kind}: ${words}${source === undefined ? '' : ` (${source})`}`;
  });
  const rest = found.length - lines.length;
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}
