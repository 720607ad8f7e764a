/** Texts against what the panel alone makes of an answer: formulas, diagrams, footnotes, tasks, code with its buttons. */
import { type Construct, toConstructs } from './constructs.ts';

const evil = 'https://evil.test/x';
const nest = (open: string, close: string, times: number): string => `$$${open.repeat(times)}x${close.repeat(times)}$$`;

const math = [
  ['link with a script', '$\\href{javascript:globalThis.owned=1}{x}$'],
  ['link with a command', '$$\\href{command:workbench.action.quit}{x}$$'],
  ['link to the web', `\\(\\href{${evil}}{x}\\)`],
  ['bare address', `\\[\\url{${evil}}\\]`],
  ['image', `$\\includegraphics{${evil}.png}$`],
  ['image with sizes', `$\\includegraphics[height=0.8em, alt=x]{${evil}.png}$`],
  ['class', '$\\htmlClass{codicon codicon-trash}{x}$'],
  ['id', '$\\htmlId{root}{x}$'],
  ['style', '$\\htmlStyle{position:fixed;inset:0}{x}$'],
  ['data', '$\\htmlData{href=https://evil.test}{x}$'],
  ['colour', '$\\color{red}x \\textcolor{#fff}{y} \\colorbox{black}{z} \\fcolorbox{red}{blue}{w}$'],
  ['colour that is HTML', '$\\color{"><img src=x onerror=globalThis.owned=1>}{x}$'],
  ['text that is HTML', '$\\text{<img src=x onerror=globalThis.owned=1>}$'],
  ['text that is a script', '$$\\text{<script>globalThis.owned=1</script>}$$'],
  ['end of the element', '$</math><img src=x onerror=globalThis.owned=1>$'],
  ['end of the annotation', '$x</annotation><img src=x onerror=globalThis.owned=1>$'],
  ['XML of its own', '$<annotation-xml encoding="text/html"><img src=x onerror=globalThis.owned=1></annotation-xml>$'],
  ['action', '$<maction actiontype="statusline#http://evil.test">x</maction>$'],
  ['CDATA', '$<![CDATA[<img src=x onerror=globalThis.owned=1>]]>$'],
  ['comment', '$%<!-- x\n-->y$'],
  ['quotes', '$\\text{" onmouseover="globalThis.owned=1}$'],
  ['macro without end', '$\\def\\a{\\a\\a}\\a$'],
  ['macros that grow', '$\\def\\a#1{#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}}$'],
  ['macros for all', '$\\gdef\\frac#1#2{\\href{javascript:globalThis.owned=1}{#1}}\\frac12$ $\\frac12$'],
  ['new command', '$\\newcommand{\\x}{\\href{javascript:globalThis.owned=1}{y}}\\x$'],
  ['catcode', '$\\catcode`\\@=0 @href{x}{y}$'],
  ['let', '$\\let\\a\\href \\a{javascript:globalThis.owned=1}{x}$'],
  ['expansion in a name', '$\\csname href\\endcsname{javascript:globalThis.owned=1}{x}$'],
  ['huge', '$\\rule{99999em}{99999em}$'],
  ['far to the left', '$\\kern-99999em x\\hspace{-99999em}\\mkern-99999mu$'],
  ['far up', '$\\raisebox{99999em}{x}$ $\\smash{\\rule{1em}{999em}}$'],
  ['over what is beside it', '$\\llap{covers} \\rlap{covers} \\mathllap{covers}$'],
  ['tag', '$$x \\tag{<b>1</b>}$$'],
  ['nested fractions', nest('\\frac{', '}{2}', 300)],
  ['nested roots', nest('\\sqrt{', '}', 300)],
  ['nested powers', nest('x^{', '}', 300)],
  ['nested groups', nest('{', '}', 1400)],
  ['nested environments', nest('\\begin{matrix}', '\\end{matrix}', 90)],
  ['many cells', `$$\\begin{matrix}${'&'.repeat(1400)}\\end{matrix}$$`],
  ['many dollars', '$ '.repeat(3000)],
  ['many marks without an end', '\\['.repeat(3000)],
  ['directions', '$\\text{\u202Ea\u2066b}\u202E$'],
  ['a price', 'It costs $5 and $<img src=x onerror=globalThis.owned=1>10.'],
  ['unicode of an element', '$\\char"3Cimg src=x onerror=globalThis.owned=1\\char"3E$'],
  ['a reference of MathJax', '$\\require{html}\\href{javascript:globalThis.owned=1}{x}\\unicode{x3C}$'],
] as const;

const diagram = (text: string): string => `\`\`\`mermaid\n${text}\n\`\`\``;
const mermaid = [
  ['click that calls', diagram('flowchart TD\n A-->B\n click A call alert("x") "tip"')],
  ['click with a script', diagram('flowchart TD\n A-->B\n click A "javascript:globalThis.owned=1"')],
  ['click to the web', diagram(`flowchart TD\n A-->B\n click A href "${evil}" _blank`)],
  [
    'loose by a directive',
    diagram('%%{init: {"securityLevel": "loose"}}%%\nflowchart TD\n A["<img src=x onerror=globalThis.owned=1>"]'),
  ],
  [
    'loose by its front matter',
    diagram(
      '---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\nflowchart TD\n A["<script>globalThis.owned=1</script>"]',
    ),
  ],
  ['prototype by a directive', diagram('%%{init: {"__proto__": {"owned": 1}}}%%\nflowchart TD\n A')],
  ['image node', diagram(`flowchart TD\n A@{ img: "${evil}.png", label: "x" }`)],
  ['icon node', diagram('flowchart TD\n A@{ icon: "fa:user" }\n B["fa:fa-trash"]')],
  ['styles', diagram(`flowchart TD\n A\n style A fill:url(${evil})\n classDef x background:url(${evil})`)],
  [
    'style sheet by a directive',
    diagram(`%%{init: {"themeCSS": "@import url(${evil}); * { display: none }"}}%%\ngraph TD\n A`),
  ],
  ['font by a directive', diagram('%%{init: {"fontFamily": "x; } * { display: none }"}}%%\ngraph TD\n A')],
  ['formula in a label', diagram('flowchart TD\n A["$$\\href{javascript:globalThis.owned=1}{x}$$"]')],
  ['links of a sequence', diagram(`sequenceDiagram\n participant A\n link A: x @ ${evil}`)],
  ['note that is HTML', diagram('sequenceDiagram\n Note over A: <iframe srcdoc="<script>parent.owned=1</script>">')],
  ['end of the fence', `\`\`\`mermaid\ngraph TD\n\`\`\`\`\n<img src=x onerror="globalThis.owned=1">`],
  ['name that ends an attribute', '```mermaid"><img src=x onerror=globalThis.owned=1>\ngraph TD\n```'],
] as const;

const footnotes = [
  ['label that is HTML', '[^<img/src=x/onerror=globalThis.owned=1>]\n\n[^<img/src=x/onerror=globalThis.owned=1>]: x'],
  ['label that ends an attribute', '[^"onfocus="globalThis.owned=1]\n\n[^"onfocus="globalThis.owned=1]: x'],
  ['label that ends a selector', '[^"],*,[x="]\n\n[^"],*,[x="]: x'],
  ['label of the prototype', '[^__proto__] [^constructor]\n\n[^__proto__]: x\n[^constructor]: y'],
  ['label that turns the text', '[^\u202Ea\u2066]\n\n[^\u202Ea\u2066]: x'],
  ['label that is a command', '[^command:workbench.action.quit]\n\n[^command:workbench.action.quit]: x'],
  ['text with a script', '[^1]\n\n[^1]: <script>globalThis.owned=1</script>'],
  ['text with an image', `[^1]\n\n[^1]: ![x](${evil}.png)`],
  ['text with links', '[^1]\n\n[^1]: [a](javascript:globalThis.owned=1) [b](command:workbench.action.quit)'],
  ['itself in its text', '[^1]\n\n[^1]: see [^1]'],
  ['one in another', '[^1]\n\n[^1]: [^2]: [^3]: [^1]: x'],
  ['twice', '[^1]\n\n[^1]: first\n\n[^1]: second <img src=x onerror=globalThis.owned=1>'],
  ['in a link', `[a[^1]](${evil})\n\n[^1]: x`],
  ['as a link', `[^1](${evil})\n\n[^1]: ${evil}`],
  ['as an image', `![^1]\n\n[^1]: ${evil}.png`],
  ['in a quote in a list', '> - [^1]: a\n>\n>       b\n>\n> [^1]'],
  ['without a text', '[^1]:\n[^2]:\n\n[^1] [^2]'],
  ['very many', '[^a]'.repeat(2000)],
] as const;

const tasks = [
  ['text that is HTML', '- [x] <img src=x onerror=globalThis.owned=1>'],
  ['input of its own', '- [ ] <input type=checkbox onclick=globalThis.owned=1>'],
  ['mark that is HTML', '- [<img src=x onerror=globalThis.owned=1>] a'],
  ['label of a link', '- [x](javascript:globalThis.owned=1) a'],
  ['link by its name', `- [x] a\n\n[x]: ${evil}`],
  ['mark of our own', '- <span class="task" data-task="done"></span> a'],
  ['in a table', '| - [x] a |\n|---|\n| [x] b |'],
  ['nested a hundred times', Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- [ ] a`).join('\n')],
  ['invisible mark', '- [\u200B] a\n- [x]\u202E b'],
] as const;

const code = [
  ['name that is HTML', '```ts title="<img src=x onerror=globalThis.owned=1>"\nx\n```'],
  ['path above the workspace', '```sh ../../etc/passwd\nx\n```'],
  ['path that is a command', '```sh command:workbench.action.quit\nx\n```'],
  ['language of the prototype', '```__proto__\nx\n```\n\n```constructor\ny\n```'],
  [
    'tags of the colours',
    '```html\n<span class="hljs-x"></span></span></span><img src=x onerror=globalThis.owned=1>\n```',
  ],
  ['entities of the colours', '```js\n&lt;img src=x onerror=globalThis.owned=1&gt; "&#x27;" &amp;lt;\n```'],
  ['escapes of a terminal', '```sh\necho \u001B]0;x\u0007 \u001B[201~\rid\r\n```'],
  ['directions', '```js\nif (a /*\u202E } \u2066if (b)\u2069 \u2066*/) {}\n```'],
  ['many lines', `\`\`\`js\n${'<img src=x onerror=globalThis.owned=1>\n'.repeat(2000)}\`\`\``],
  ['one long line', `\`\`\`js\n${'<b>'.repeat(15_000)}\n\`\`\``],
] as const;

export const panelConstructs: readonly Construct[] = toConstructs({
  math,
  mermaid,
  footnote: footnotes,
  task: tasks,
  code,
});
