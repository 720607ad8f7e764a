import type { FileReference, FromChatPanel } from '../shared/protocol.ts';

/** Names of files in answers that lead to the file, where the workspace has it. What it does not have stays text. */
export interface FileReferences {
  /** Marks what looks like a file of the workspace, and asks the host which of them are there. */
  mark(nodes: DocumentFragment): void;
  /** Makes links of those that are there. */
  show(found: readonly string[]): void;
}

/** `src/a.ts`, `src/a.ts:3`, `src/a.ts:3-9`, `src/a.ts#L3-L9`: path, first and last line. */
const pattern = String.raw`(?:\./)?((?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9})(?:(?::|#L)(\d{1,7})(?:[-:]L?(\d{1,7}))?)?`;
const whole = new RegExp(`^${pattern}$`);
/** In running text a line has to be named: \`e.g.\` and \`example.com\` look like files, too. */
const inText = new RegExp(String.raw`(?<![\w/.:@+-])${pattern.replace(/\?$/, '')}(?![\w/])`, 'g');

/** The most names that are asked for at once; an answer with more of them is a list, not a text about files. */
const mostAsked = 100;

/** The file that a text or a relative address names, if it looks like one. */
export function fileReferenceOf(text: string): FileReference | undefined {
  const [, path, first, last] = (text.length <= 300 ? whole.exec(text) : null) ?? [];
  if (path === undefined || path.split('/').includes('..')) return undefined;
  return { path, ...(first && { line: Number(first) }), ...(last && { endLine: Number(last) }) };
}

export function createFileReferences(post: (message: FromChatPanel) => void): FileReferences {
  const found = new Set<string>();
  const asked = new Set<string>();
  /** Elements that name a file of which it is not known whether it is there. */
  let waiting: { element: HTMLElement; reference: FileReference }[] = [];

  function add(element: HTMLElement, reference: FileReference): void {
    if (found.has(reference.path)) makeLink(element, reference);
    else waiting.push({ element, reference });
  }

  return {
    mark(nodes) {
      for (const element of nodes.querySelectorAll<HTMLElement>('[data-file], :not(pre) > code')) {
        const reference = fileReferenceOf(element.getAttribute('data-file') ?? element.textContent ?? '');
        if (reference !== undefined) add(element, reference);
      }
      for (const [element, reference] of wrapNames(nodes)) add(element, reference);
      const unknown = waiting.map(({ reference: { path } }) => path).filter((path) => !asked.has(path));
      const paths = [...new Set(unknown)].slice(0, mostAsked);
      for (const path of paths) asked.add(path);
      if (paths.length > 0) post({ type: 'findFiles', paths });
    },
    show(paths) {
      for (const path of paths) found.add(path);
      const known = waiting.filter(({ reference }) => found.has(reference.path));
      waiting = waiting.filter(({ element, reference }) => element.isConnected && !found.has(reference.path));
      for (const { element, reference } of known) makeLink(element, reference);
    },
  };
}

function makeLink(element: HTMLElement, { path, line, endLine }: FileReference): void {
  element.classList.add('file-reference');
  element.setAttribute('role', 'link');
  element.setAttribute('tabindex', '0');
  element.setAttribute('title', line === undefined ? path : `${path}:${line}`);
  element.setAttribute('data-open', JSON.stringify({ path, line, endLine }));
}

/** Puts the names in running text into elements of their own. */
function wrapNames(nodes: DocumentFragment): [HTMLElement, FileReference][] {
  const walker = document.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest('pre, code, a, [data-file]') === null) texts.push(node as Text);
  }
  return texts.flatMap((text) => [...text.data.matchAll(inText)].reverse().flatMap((match) => wrap(text, match)));
}

function wrap(text: Text, match: RegExpExecArray): [HTMLElement, FileReference][] {
  const reference = fileReferenceOf(match[0]);
  if (reference === undefined) return [];
  const name = text.splitText(match.index);
  name.splitText(match[0].length);
  const element = document.createElement('span');
  name.replaceWith(element);
  element.append(name);
  return [[element, reference]];
}
