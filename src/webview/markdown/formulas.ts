import { sanitiseMath } from './sanitise.ts';

/** What the bundle of formulas gives (`math/main.ts`). */
export interface MathBundle {
  toMathMl(tex: string, display: boolean): string | undefined;
}

/** The formulas of the page: each is drawn once its block is closed, and is its own source until then. */
export interface Formulas {
  dress(nodes: ParentNode, closed: boolean): void;
}

/** Time after which the rest of the formulas is left to the next frame, in milliseconds. */
const longestFrame = 8;
/** The most elements of a formula that is drawn: one is laid out in one go. */
const mostElements = 800;
/** The deepest formula that is drawn, in elements: a browser lays out each level again for the one above it. */
const deepest = 60;

/**
 * @param load loads the bundle; it is asked for with the first formula
 * @param keepPlace makes a change that may move what stands below it, and keeps the place of whoever reads
 */
export function createFormulas(load: () => Promise<MathBundle>, keepPlace: (change: () => void) => void): Formulas {
  let bundle: MathBundle | undefined;
  let isLoading = false;
  const waiting: Element[] = [];

  async function begin(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    // Without the bundle, formulas stay their source.
    bundle ??= await load().catch(() => undefined);
    requestAnimationFrame(drawSome);
  }

  function drawSome(): void {
    const until = performance.now() + longestFrame;
    keepPlace(() => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (bundle !== undefined) draw(next, bundle);
        if (performance.now() > until) break;
      }
    });
    isLoading = waiting.length > 0;
    if (isLoading) requestAnimationFrame(drawSome);
  }

  return {
    dress(nodes, closed) {
      const formulas = [...nodes.querySelectorAll('.math')];
      for (const block of formulas.filter((each) => each.matches('.block'))) block.setAttribute('tabindex', '0');
      if (!closed || formulas.length === 0) return;
      waiting.push(...formulas);
      void begin();
    },
  };
}

function draw(formula: Element, { toMathMl }: MathBundle): void {
  const source = formula.textContent ?? '';
  const length = /^\$(?!\$)/.test(source) ? 1 : 2;
  const tex = source.slice(length, -length);
  const html = toMathMl(tex, /^(?:\$\$|\\\[)/.test(source)) ?? '';
  if (html.split('<m', mostElements + 2).length > mostElements + 1) return;
  const math = sanitiseMath(html);
  if (math === undefined || depthOf(math) > deepest) return;
  // What is read where MathML is not understood, and by Find: the source is nowhere else on the page.
  math.setAttribute('alttext', tex.trim());
  formula.replaceChildren(math);
}

function depthOf(node: Element): number {
  let depth = 0;
  let level: Element[] = [node];
  while (level.length > 0) {
    depth++;
    level = level.flatMap(({ children }) => [...children]);
  }
  return depth;
}
