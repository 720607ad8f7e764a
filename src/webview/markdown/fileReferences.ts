import { type FileName, type NameMark, readFileName } from '../shared/fileName.ts';
import { wordsIn } from '../shared/namedInText.ts';
import type { FileReference, FromChatPanel } from '../shared/protocol/protocol.ts';

/** Names of files in answers that lead to the file, where the workspace has it. What it does not have stays text. */
export interface FileReferences {
  /** Marks what looks like a file of the workspace, and asks the host which of them are there. */
  mark(nodes: DocumentFragment): void;
  /** Makes links of those that are there. */
  show(found: readonly string[]): void;
  /** Asks for paths, and calls back as soon as one of them is known to be there. @param element on the page as long as the answer is wanted */
  whenFound(paths: readonly string[], element: HTMLElement, found: () => void): void;
}

/** The most names that are asked for at once; an answer with more of them is a list, not a text about files. */
const mostAsked = 100;

/** The longest path, in characters, that the host is asked for. */
const longestPath = 300;

/** The file that a text or a relative address names, if it looks like one. */
function fileReferenceOf(text: string, mark: NameMark): FileReference | undefined {
  const name = readFileName(text, mark);
  return name === undefined || name.path.length > longestPath ? undefined : referenceOf(name);
}

function referenceOf({ path, line, column, lastLine }: FileName): FileReference {
  return { path, ...(line && { line }), ...(column && { column }), ...(lastLine && { endLine: lastLine }) };
}

export function createFileReferences(post: (message: FromChatPanel) => void): FileReferences {
  const found = new Set<string>();
  const asked = new Set<string>();
  /** What is done once it is known that a file is there, as long as the element is on the page. */
  let waiting: { readonly element: HTMLElement; readonly path: string; readonly run: () => void }[] = [];

  function add(element: HTMLElement, path: string, run: () => void): void {
    if (found.has(path)) run();
    else waiting.push({ element, path, run });
  }

  function ask(): void {
    const unknown = waiting.map(({ path }) => path).filter((path) => !asked.has(path));
    const paths = [...new Set(unknown)].slice(0, mostAsked);
    for (const path of paths) asked.add(path);
    if (paths.length > 0) post({ type: 'findFiles', paths });
  }

  return {
    mark(nodes) {
      const names = [...nodes.querySelectorAll<HTMLElement>('[data-file], :not(pre) > code')].flatMap((element) => {
        const target = element.getAttribute('data-file');
        const text = target ?? element.textContent ?? '';
        // A command in code has names in it, and is none.
        const mark = target !== null ? 'link' : /\s/.test(text) ? 'marked' : 'label';
        const reference = fileReferenceOf(text, mark);
        return reference === undefined ? [] : [[element, reference] as const];
      });
      for (const [element, reference] of [...names, ...wrapNames(nodes)])
        add(element, reference.path, () => makeLink(element, reference));
      ask();
    },
    show(paths) {
      for (const path of paths) found.add(path);
      const known = waiting.filter(({ path }) => found.has(path));
      waiting = waiting.filter(({ element, path }) => element.isConnected && !found.has(path));
      for (const { run } of known) run();
    },
    whenFound(paths, element, run) {
      for (const path of paths.slice(0, mostAsked)) add(element, path, run);
      ask();
    },
  };
}

function makeLink(element: HTMLElement, reference: FileReference): void {
  const { path, line } = reference;
  element.classList.add('file-reference');
  element.setAttribute('role', 'link');
  element.setAttribute('tabindex', '0');
  element.setAttribute('title', line === undefined ? path : `${path}:${line}`);
  element.setAttribute('data-open', JSON.stringify(reference));
}

/** Puts the names in running text into elements of their own. */
function wrapNames(nodes: DocumentFragment): [HTMLElement, FileReference][] {
  const walker = document.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest('pre, code, a, [data-file]') === null) texts.push(node as Text);
  }
  return texts.flatMap(namesInText);
}

/** In running text a line has to be named: `e.g.` and `example.com` look like files, too. */
function namesInText(text: Text): [HTMLElement, FileReference][] {
  if (!/[:#(]L?\d/.test(text.data)) return [];
  return [...wordsIn(text.data)].reverse().flatMap(({ text: word, start }) => {
    const reference = fileReferenceOf(word, 'plain');
    if (reference?.line === undefined) return [];
    const name = text.splitText(start);
    name.splitText(word.length);
    const element = document.createElement('span');
    name.replaceWith(element);
    element.append(name);
    return [[element, reference] as [HTMLElement, FileReference]];
  });
}
