import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
  ...{
    bash,
    cpp,
    csharp,
    css,
    diff,
    go,
    java,
    javascript,
    json,
    php,
    python,
    ruby,
    rust,
    sql,
    typescript,
    xml,
    yaml,
  },
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
/** Names of VS Code that highlight.js does not know. */
hljs.registerAliases(['shellscript', 'shell', 'console'], { languageName: 'bash' });
hljs.registerAliases(['typescriptreact'], { languageName: 'typescript' });
hljs.registerAliases(['javascriptreact'], { languageName: 'javascript' });
hljs.registerAliases(['jsonc'], { languageName: 'json' });
// C++ has all words of C; a grammar of its own would be 5 kB more.
hljs.registerAliases(['c', 'h'], { languageName: 'cpp' });

/** The longest code that is coloured, in characters, to keep the page quick. */
const limit = 20_000;

/** Code as nodes with classes; undefined for a language that is not known. */
export function highlight(code: string, language: string): DocumentFragment | undefined {
  if (code.length > limit || hljs.getLanguage(language) === undefined) return undefined;
  return toNodes(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}

const tag = /(<span class="[^"<>]*">|<\/span>)/;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** What highlight.js writes is spans with a class, and escaped text: whatever else it wrote would be text here. */
function toNodes(html: string): DocumentFragment {
  const nodes = document.createDocumentFragment();
  let into: Node = nodes;
  for (const [index, part] of html.split(tag).entries()) {
    if (index % 2 === 0) {
      if (part !== '')
        into.appendChild(document.createTextNode(part.replace(/&[#\w]+;/g, (each) => entities[each] ?? each)));
    } else if (part === '</span>') {
      into = into.parentNode ?? nodes;
    } else {
      const span = document.createElement('span');
      span.className = part.slice('<span class="'.length, -'">'.length);
      into = into.appendChild(span);
    }
  }
  return nodes;
}
