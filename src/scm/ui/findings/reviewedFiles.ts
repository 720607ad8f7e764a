import { basename } from 'node:path';
import { Uri, workspace } from 'vscode';
import type { FolderDiff, WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { type ChangedFile, type ChangedHunk, newLineText, readChangedFiles } from '../../findings/changedFiles.ts';
import type { ReviewFinding } from '../../findings/reviewFinding.ts';
import { shiftLines } from '../../findings/shiftLines.ts';
import type { ChosenChanges } from './chooseChanges.ts';
import type { UnsavedEdits } from './unsavedEdits.ts';

/** What a review is about. */
export interface ReviewedChanges {
  /** Paths as the model is told them: within the folder, with its name where several have changes. */
  readonly files: readonly ChangedFile[];
  /** Files that changed and stay here. */
  readonly gaps: readonly string[];
  /** Since the changes were read. */
  readonly edits: UnsavedEdits;
  /** Where a finding is shown, with lines of the file on the disk as it was then. */
  placeOf(finding: ReviewFinding): PlacedFinding | undefined;
}

export interface PlacedFinding extends ReviewFinding {
  readonly uri: Uri;
  /** The text of its first line, as it was reviewed. */
  readonly lineText: string | undefined;
}

/** A changed file, and what changed in it since it was staged, where it is that which is reviewed. */
interface Place {
  readonly uri: Uri;
  readonly file: ChangedFile;
  readonly hunksSince: readonly ChangedHunk[];
}

/** Reads diffs. Files whose changed lines hold a key or a password stay here, as those do whose names say so. */
export function readReview(
  files: Pick<WorkspaceFiles, 'secretLine'>,
  { diffs, later, edits }: ChosenChanges,
): ReviewedChanges {
  const changed = diffs.filter((each) => each.kind === 'diff');
  const isOne = changed.filter(({ text }) => text !== '').length <= 1;
  const places = new Map<string, Place>();
  const kept: ChangedFile[] = [];
  const gaps: string[] = [];
  for (const { root, text, gaps: left } of changed) {
    const nameOf = (path: string): string => (isOne ? path : `${basename(root)}/${path}`);
    gaps.push(...left.map(({ path }) => nameOf(path)));
    const laterHunks = hunksByPath(later.find((each) => each.root === root));
    for (const file of readChangedFiles(text)) {
      const path = nameOf(file.path);
      if (files.secretLine(textOf(file)) !== undefined) gaps.push(path);
      else {
        kept.push({ ...file, path });
        places.set(path, { uri: uriOf(root, file.path), file, hunksSince: laterHunks.get(file.path) ?? [] });
      }
    }
  }
  return {
    files: kept,
    gaps,
    edits,
    placeOf(finding) {
      const place = places.get(finding.path);
      if (place === undefined) return undefined;
      const lineText = newLineText(place.file, finding.first);
      return { ...shiftLines(finding, place.hunksSince), uri: place.uri, lineText };
    },
  };
}

function hunksByPath(diff: FolderDiff | undefined): ReadonlyMap<string, readonly ChangedHunk[]> {
  const files = diff?.kind === 'diff' ? readChangedFiles(diff.text) : [];
  return new Map(files.map(({ path, hunks }) => [path, hunks]));
}

const textOf = ({ hunks }: ChangedFile): string =>
  hunks.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n');

/** The document of a path under a root, as VS Code names it. */
function uriOf(root: string, path: string): Uri {
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === root);
  return Uri.joinPath(folder?.uri ?? Uri.file(root), path);
}
