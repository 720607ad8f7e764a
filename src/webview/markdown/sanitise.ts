import createDOMPurify from 'dompurify';

const allowedTags = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em'],
  ...['strong', 's', 'a', 'span', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const allowedAttributes = [
  ...['class', 'role', 'tabindex', 'title', 'start'],
  ...['data-href', 'data-file', 'data-language', 'data-path', 'data-task', 'data-note', 'data-note-of'],
];

let purify: ReturnType<typeof createDOMPurify> | undefined;

/** HTML as nodes, with no other elements and attributes than Markdown needs. It is a second check, after the parser's. */
export function sanitise(html: string): DocumentFragment {
  purify ??= createDOMPurify(window);
  return purify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    // No browser follows them, and only names of files are read in them: `C:` is a drive there.
    ADD_URI_SAFE_ATTR: ['data-file', 'data-path'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

/** The elements of MathML that hold or place signs: no links, no actions, nothing of HTML or SVG within. */
const mathTags = [
  ...['math', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mstyle', 'mpadded', 'mphantom', 'menclose'],
  ...['mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts'],
  ...['mprescripts', 'none', 'mtable', 'mtr', 'mlabeledtr', 'mtd'],
];
/** No colours: those of the theme can be read. */
const mathAttributes = [
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'stretchy', 'symmetric', 'fence', 'separator', 'form'],
  ...['accent', 'accentunder', 'largeop', 'movablelimits', 'minsize', 'maxsize', 'lspace', 'rspace', 'linethickness'],
  ...['width', 'height', 'depth', 'voffset', 'notation', 'columnalign', 'rowspacing', 'columnspacing', 'columnspan'],
  ...['columnlines', 'rowlines', 'rowalign', 'rowspan', 'side'],
];

/** The formula in MathML; undefined where there is none. The source that comes with it is left out. */
export function sanitiseMath(html: string): Element | undefined {
  purify ??= createDOMPurify(window);
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: [...mathTags, 'span', 'semantics'],
    FORBID_CONTENTS: ['annotation'],
    ALLOWED_ATTR: mathAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const math = clean.querySelector('math');
  const semantics = math?.querySelector(':scope > semantics');
  semantics?.replaceWith(...semantics.childNodes);
  return math ?? undefined;
}
