import { splitCost } from './splitCost.ts';
import { blank, type Units } from './units.ts';

/** A section of a document: its first line (from 0) and the path of headings that leads to it. */
interface Section {
  line: number;
  headings: string[];
}

/** Markdown by headings (CommonMark 4.2 and 4.5): the higher the heading, the better the border; a fenced block is not cut. */
export function readMarkdown(text: string, units: Units): { costs: Float32Array; sections: Section[] } {
  const costs = new Float32Array(units.count);
  const sections: Section[] = [];
  const path: string[] = [];
  let fence: string | undefined;
  let before = blank;
  let wasHeading = false;
  for (let unit = 0; unit < units.count; unit++) {
    const indent = units.indents[unit] as number;
    if (indent < 0) {
      costs[unit] = indent === blank ? 30 : splitCost - 5;
      before = indent;
      continue;
    }
    const line = text.slice(
      units.starts[unit],
      Math.min(units.starts[unit + 1] as number, (units.starts[unit] as number) + 200),
    );
    const isSpaced = before === blank;
    before = indent;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.+)/.exec(line) : null;
    if (heading !== null) {
      const level = heading[1]?.length ?? 1;
      path.length = Math.min(path.length, level - 1);
      while (path.length < level - 1) path.push('');
      path.push(
        (heading[2] ?? '')
          .trimEnd()
          .replace(/(?<![ \t])[ \t]+#+$/, '')
          .trim(),
      );
      sections.push({ line: units.lines[unit] as number, headings: path.filter((name) => name !== '') });
    }
    if (fence !== undefined) costs[unit] = splitCost - 8;
    else if (heading !== null) costs[unit] = wasHeading ? splitCost : (heading[1]?.length ?? 1);
    else if (wasHeading) costs[unit] = splitCost;
    else costs[unit] = isSpaced ? 9 + Math.min(indent, 8) / 2 : /^\s*([-*+]|\d+[.)])\s/.test(line) ? 16 : 24;
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
    } else fence = mark;
    wasHeading = heading !== null;
  }
  return { costs, sections };
}

/** The headings above a line (from 0), without the line's own. */
export function headingsOf(sections: readonly Section[], line: number): string[] {
  return sections.findLast((section) => section.line < line)?.headings ?? [];
}
