import {
  type Disposable,
  l10n,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  type Uri,
  workspace,
} from 'vscode';
import { followLines, type LineRange, type TextChange } from '../../../base/lines.ts';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import {
  createPlainThreads,
  moveThread,
  type PlainThread,
  type PlainThreads,
  plainComment,
} from '../../../editor/text/comments.ts';
import { type PlainText, plain } from '../../../editor/text/plainText.ts';
import { ContextKey } from '../../../ids/ids.ts';
import { mostRead } from '../../findings/reviewFinding.ts';
import type { Severity } from '../../findings/severity.ts';
import type { PlacedFinding } from './reviewedFiles.ts';
import { movesOf, type UnsavedEdits } from './unsavedEdits.ts';

/** The argument of *Edit With Instruction*. */
export interface RequestToFix {
  readonly uri: Uri;
  /** From 0. */
  readonly lines: LineRange;
  readonly instruction: string;
}

/** The findings of a review as comments in the editors. */
export interface FindingThreads extends Disposable {
  /**
   * Takes away what is there, for a new review.
   * @param model whose findings come
   * @param edits since the files were read that are reviewed; they are disposed of at the end
   */
  begin(model: string, edits: UnsavedEdits): void;
  /** No more findings come that are about the lines as they were. */
  end(): void;
  /** Shows the findings of a request, in place of those that it had. What was dismissed stays away. */
  show(request: object, findings: readonly PlacedFinding[]): void;
  /** @param thread as VS Code gives it to a command */
  dismiss(thread: unknown): void;
  dismissAll(): void;
  requestToFix(thread: unknown): RequestToFix | undefined;
}

interface ShownFinding {
  finding: PlacedFinding;
  /** From 0, as they are now. */
  lines: LineRange;
  /** Undefined once it was dismissed, and for those beyond the most that are shown. */
  thread: PlainThread | undefined;
}

/** The id by which the menus in package.json know the threads. */
const controllerId = 'parley-findings';

export function createFindingThreads(): FindingThreads {
  const owned = new Disposables();
  let threads: PlainThreads | undefined;
  let model: PlainText = plain('');
  let shown = new Map<object, ShownFinding[]>();
  /** Findings that come later are about the lines as they were before these. Undefined after the end of the review. */
  let edits: UnsavedEdits | undefined;
  owned.add({ dispose: () => edits?.dispose() });
  const all = (): ShownFinding[] => [...shown.values()].flat();

  function tell(): void {
    const hasFindings = all().some(({ thread }) => thread !== undefined);
    void setContext(ContextKey.scmHasFindings, hasFindings);
  }

  function add(finding: PlacedFinding): ShownFinding {
    const { uri } = finding;
    const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    const before = edits?.of(uri) ?? [];
    const lines = before.length === 0 ? linesOf(finding) : moved(finding, linesOf(finding), before, document);
    const count = all().filter(({ thread }) => thread !== undefined).length;
    if (count >= mostRead.findings) return { finding, lines, thread: undefined };
    threads ??= owned.add(createPlainThreads(controllerId, plain(l10n.t('Parley: Findings'))));
    return { finding, lines, thread: threads.add(uri, rangeOf(lines), titleOf(finding), commentOf(finding)) };
  }

  // VS Code's list of comments shows the author, and no title of a thread.
  const commentOf = ({ text, severity }: PlacedFinding) => {
    const author = severity === undefined ? 'Parley' : `Parley: ${severityText(severity)}`;
    return plainComment(plain(author), model, text);
  };

  function followEdits({ document, contentChanges }: TextDocumentChangeEvent): void {
    if (shown.size === 0) return;
    const changes = movesOf(contentChanges);
    if (changes.length === 0) return;
    const uri = document.uri.toString();
    for (const each of all()) {
      if (each.finding.uri.toString() !== uri) continue;
      each.lines = moved(each.finding, each.lines, changes, document);
      if (each.thread !== undefined) moveThread(each.thread, rangeOf(each.lines));
    }
  }
  owned.add(workspace.onDidChangeTextDocument(followEdits));

  const find = (thread: unknown): ShownFinding | undefined =>
    thread === undefined ? undefined : all().find((each) => each.thread === thread);

  return {
    begin(name, since) {
      remove(all());
      shown = new Map();
      if (edits !== since) edits?.dispose();
      edits = since;
      model = plain(name);
      tell();
    },
    end() {
      edits?.dispose();
      edits = undefined;
    },
    show(request, findings) {
      const before = shown.get(request) ?? [];
      const kept: ShownFinding[] = [];
      shown.set(request, kept);
      findings.forEach((finding, at) => {
        const known = before[at];
        if (known === undefined || !isSamePlace(known.finding, finding)) {
          kept.push(add(finding));
          return;
        }
        if (known.thread !== undefined && known.finding.text !== finding.text)
          known.thread.comments = [commentOf(finding)];
        known.finding = finding;
        kept.push(known);
      });
      remove(before.filter((each) => !kept.includes(each)));
      tell();
    },
    dismiss(thread) {
      const found = find(thread);
      if (found !== undefined) remove([found]);
      tell();
    },
    dismissAll() {
      remove(all());
      if (edits === undefined) shown = new Map();
      tell();
    },
    requestToFix(thread) {
      const found = find(thread);
      return found && { uri: found.finding.uri, lines: found.lines, instruction: found.finding.text };
    },
    dispose: () => owned.dispose(),
  };
}

/** Takes findings out of sight. */
function remove(gone: readonly ShownFinding[]): void {
  for (const each of gone) {
    each.thread?.dispose();
    each.thread = undefined;
  }
}

const linesOf = ({ first, last }: PlacedFinding): LineRange => ({ first: first - 1, last: last - 1 });

/**
 * Lines of a finding after edits. What VS Code reads anew from the disk arrives as an edit, too: the lines are then where the
 * review had them, since it read the disk.
 */
function moved(
  finding: PlacedFinding,
  lines: LineRange,
  changes: readonly TextChange[],
  document: TextDocument | undefined,
): LineRange {
  const { first, last } = changes.reduce<LineRange>(followLines, lines);
  const isAt = (line: number): boolean =>
    document !== undefined && line < document.lineCount && document.lineAt(line).text === finding.lineText;
  const original = linesOf(finding);
  return !isAt(first) && isAt(original.first) ? original : { first, last };
}

const rangeOf = ({ first, last }: LineRange): Range => new Range(first, 0, last, 0);

function isSamePlace(a: PlacedFinding, b: PlacedFinding): boolean {
  return a.path === b.path && a.first === b.first && a.last === b.last && a.severity === b.severity;
}

/** The words above a finding. */
function titleOf({ severity, isWholeFile }: PlacedFinding): PlainText {
  const title = severity === undefined ? l10n.t('Finding') : severityText(severity);
  return plain(isWholeFile ? l10n.t('{0}, about the whole file', title) : title);
}

const severityText = (severity: Severity): string =>
  ({ bug: l10n.t('Bug'), risk: l10n.t('Risk'), style: l10n.t('Style') })[severity];
