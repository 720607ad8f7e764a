import { isJsonObject } from '../../base/jsonText.ts';

/** A cell of a notebook (nbformat 4): its source, and for each of its lines the line in the file (from 1). */
export interface Cell {
  isMarkdown: boolean;
  source: string;
  lines: number[];
}

/** The cells of a notebook, without their outputs; undefined when the text is not one. */
export function readNotebook(text: string): Cell[] | undefined {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch {
    return undefined;
  }
  const cells = isJsonObject(notebook) ? notebook['cells'] : undefined;
  if (!Array.isArray(cells) || !cells.every(isCell)) return undefined;
  const places = findSources(text);
  if (places.length !== cells.length) return undefined;
  return cells.map((cell, index) => {
    const parts = typeof cell.source === 'string' ? [cell.source] : cell.source;
    const lines = parts.flatMap((part, at) => {
      const line = places[index]?.[at] ?? 1;
      return Array<number>(part.split('\n').length - (part.endsWith('\n') ? 1 : 0)).fill(line);
    });
    return { isMarkdown: cell.cell_type === 'markdown', source: parts.join(''), lines };
  });
}

function isCell(cell: unknown): cell is { cell_type: unknown; source: string | string[] } {
  if (!isJsonObject(cell)) return false;
  const source = cell['source'];
  return typeof source === 'string' || (Array.isArray(source) && source.every((part) => typeof part === 'string'));
}

/** The lines (from 1) of the strings of each cell's `source`. Valid JSON only. */
function findSources(text: string): number[][] {
  const found: number[][] = [];
  // Keys on the path to the current value; undefined in a list.
  const path: (string | undefined)[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\n') line++;
    else if (char === '{' || char === '[') path.push(undefined);
    else if (char === '}' || char === ']') path.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      const isKey = /^\s*:/.test(text.slice(end, end + 20));
      const isSource = path[0] === 'cells' && path[2] === 'source';
      if (isKey) {
        path[path.length - 1] = text.slice(at + 1, end - 1);
        if (path.length === 3 && path[0] === 'cells' && path[2] === 'source') found.push([]);
      } else if (isSource && path.length <= 4) found.at(-1)?.push(line);
      at = end - 1;
    }
  }
  return found;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at + 1;
  }
  return text.length;
}
