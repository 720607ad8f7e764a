import { fenced } from '../../base/codeFence.ts';
import { type InstructionFile, taskWithInstructions } from '../../base/workspaceInstructions.ts';
import type { TextMessage } from '../../service/chat/chatRequest.ts';
import type { ChangedFile, ChangedHunk } from './changedFiles.ts';

const system = [
  'You review a change to code. Look for defects that the change brings in: wrong results, crashes, data loss, races, leaks,',
  'security problems, cases that are missed; then for what is hard to read or maintain.',
  'Each line of the diff begins with its number in the new file; removed lines have no number. `+` marks added lines, `-` removed ones.',
  'Answer with JSON lines, one object for each finding, and nothing else:',
  '\n{"path": "src/file.ts", "line": 12, "endLine": 14, "severity": "bug", "message": "…"}\n',
  'The severity is bug, risk or style; endLine is given for several lines only. The message says in one or two sentences what is wrong,',
  'and what to do instead.',
  'Name only lines of the diff. Do not praise, do not summarise, and do not repeat the code.',
  'When there is nothing to remark, answer: []',
].join(' ');

/** The messages that ask for a review. Lines carry the numbers of the new file, from 1, since models miscount. @param instructions of the workspace */
export function reviewMessages(
  files: readonly ChangedFile[],
  instructions: readonly InstructionFile[] = [],
): TextMessage[] {
  return [
    { role: 'system', content: taskWithInstructions(system, instructions) },
    { role: 'user', content: `Review this change.\n\n${files.map(fileText).join('\n\n')}` },
  ];
}

/** A file as the model reads it. */
export function fileText({ path, hunks }: ChangedFile): string {
  return `File: ${path}\n${fenced(hunks.map(hunkText).join('\n…\n'), '')}`;
}

export function hunkText({ first, count, lines }: ChangedHunk): string {
  const width = String(first + count).length;
  let number = first;
  return lines
    .map(({ mark, text }) => {
      const shown = mark === '-' ? ''.padStart(width) : String(number++).padStart(width);
      return `${shown} ${mark} ${text}`.trimEnd();
    })
    .join('\n');
}
