import { estimateTokens } from '../../base/tokens.ts';
import type { ChangedFile, ChangedHunk } from './changedFiles.ts';
import { fileText, hunkText } from './reviewPrompt.ts';

/** Tokens of a diff in one request, as they are estimated: what models with a small context window read, too. */
export const requestTokens = 6_000;
/** Requests for one review. */
export const mostRequests = 50;

/** The files of each request of a review, and the paths of those for which there were too many. */
export interface ReviewPlan {
  readonly requests: readonly (readonly ChangedFile[])[];
  readonly left: readonly string[];
}

/** Divides a diff into requests: whole files where they fit, then whole hunks, then runs of lines. */
export function planReview(files: readonly ChangedFile[], tokens = requestTokens, most = mostRequests): ReviewPlan {
  const requests = inRequests(
    files.flatMap((file) => smallEnough(file, tokens)),
    tokens,
  );
  const kept = requests.slice(0, most);
  const left = new Set(requests.slice(most).flatMap((request) => request.map(({ path }) => path)));
  return { requests: kept, left: [...left] };
}

/** A request as two, for a model that cannot read all of it at once; undefined where it cannot be divided any more. */
export function halves(files: readonly ChangedFile[]): [ChangedFile[], ChangedFile[]] | undefined {
  const single = files.length === 1 && files[0] !== undefined ? hunkByHunk(files[0]) : [...files];
  const [only] = single;
  const hunk = only?.hunks[0];
  const pieces = single.length > 1 || only === undefined || hunk === undefined ? single : cutInTwo(only, hunk);
  if (pieces.length < 2) return undefined;
  const middle = Math.ceil(pieces.length / 2);
  return [pieces.slice(0, middle), pieces.slice(middle)];
}

function inRequests(files: readonly ChangedFile[], tokens: number): ChangedFile[][] {
  const requests: ChangedFile[][] = [];
  let room = 0;
  for (const file of files) {
    const size = estimateTokens(fileText(file));
    if (size > room) {
      requests.push([]);
      room = tokens;
    }
    requests.at(-1)?.push(file);
    room -= size;
  }
  return requests;
}

/** A file in pieces that each fit into a request. */
function smallEnough(file: ChangedFile, tokens: number): ChangedFile[] {
  if (estimateTokens(fileText(file)) <= tokens) return [file];
  const pieces: ChangedFile[] = [];
  let hunks: ChangedHunk[] = [];
  let size = 0;
  const end = (): void => {
    if (hunks.length > 0) pieces.push({ ...file, hunks });
    hunks = [];
    size = 0;
  };
  for (const hunk of file.hunks.flatMap((each) => cutHunk(each, tokens))) {
    const own = estimateTokens(hunkText(hunk));
    if (size + own > tokens) end();
    hunks.push(hunk);
    size += own;
  }
  end();
  return pieces;
}

/** A hunk in runs of lines. A line that is too long is a run of its own, cut: nobody reads it. */
function cutHunk(hunk: ChangedHunk, tokens: number): ChangedHunk[] {
  const longest = tokens * 2;
  const runs: ChangedHunk['lines'][] = [];
  let run: ChangedHunk['lines'][number][] = [];
  let size = 0;
  for (const line of hunk.lines) {
    const shown = line.text.length > longest ? { ...line, text: `${line.text.slice(0, longest)}…` } : line;
    const own = estimateTokens(shown.text) + 4;
    if (size + own > tokens && run.length > 0) {
      runs.push(run);
      run = [];
      size = 0;
    }
    run.push(shown);
    size += own;
  }
  const cut: ChangedHunk[] = [];
  for (const lines of [...runs, run]) cut.push(hunkAfter(cut.at(-1), hunk, lines));
  return cut;
}

/** A run of a hunk's lines as a hunk, with its place in both files. */
function hunkAfter(before: ChangedHunk | undefined, hunk: ChangedHunk, lines: ChangedHunk['lines']): ChangedHunk {
  const count = lines.filter(({ mark }) => mark !== '-').length;
  if (before === undefined) return { oldFirst: hunk.oldFirst, first: hunk.first, count, lines };
  const oldCount = before.lines.filter(({ mark }) => mark !== '+').length;
  return { oldFirst: before.oldFirst + oldCount, first: before.first + before.count, count, lines };
}

const hunkByHunk = (file: ChangedFile): ChangedFile[] => file.hunks.map((hunk) => ({ ...file, hunks: [hunk] }));

function cutInTwo(file: ChangedFile, hunk: ChangedHunk): ChangedFile[] {
  const middle = Math.ceil(hunk.lines.length / 2);
  const first = hunkAfter(undefined, hunk, hunk.lines.slice(0, middle));
  const rest = hunk.lines.slice(middle);
  return rest.length === 0 ? [file] : hunkByHunk({ ...file, hunks: [first, hunkAfter(first, hunk, rest)] });
}
