/**
 * Formulas, in a bundle of its own that the panel loads with the first one that is at its end (`markdown/formulas.ts`).
 *
 * Only MathML is made: the browser draws it by itself. KaTeX's HTML places each sign by inline styles, which the page's policy
 * refuses, and needs 1 MB of fonts; MathML needs neither, and is what a screen reader reads.
 */
import katex from 'katex';

/** How often macros may be replaced in one formula: enough for any that is meant to be read. */
const mostExpansions = 500;
/** The largest width or height that a formula may ask for, in em. */
const largestSize = 20;

/** TeX as MathML, and nothing else; undefined for what is no TeX. The caller sanitises it. */
export function toMathMl(tex: string, display: boolean): string | undefined {
  try {
    const html = katex.renderToString(tex, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      // No links, images, classes, ids or styles in a formula.
      trust: false,
      maxExpand: mostExpansions,
      maxSize: largestSize,
    });
    // Frames of boxes have an inline style, which the policy would refuse aloud. What is in a text has its quotes escaped.
    return html.replaceAll(/ style="[^"]*"/g, '');
  } catch {
    // Also where it is nested too deep for the stack.
    return undefined;
  }
}
