import createDOMPurify from 'dompurify';

const allowedTags = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em'],
  ...['strong', 's', 'a', 'span', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const allowedAttributes = ['class', 'role', 'tabindex', 'title', 'data-href', 'data-file', 'data-language', 'start'];

let purify: ReturnType<typeof createDOMPurify> | undefined;

/** HTML as nodes, with no other elements and attributes than Markdown needs. It is a second check, after the parser's. */
export function sanitise(html: string): DocumentFragment {
  purify ??= createDOMPurify(window);
  return purify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
