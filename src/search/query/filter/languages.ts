/** File name endings of languages, by VS Code's ids. */
const extensions: Readonly<Record<string, string>> = {
  c: 'c h',
  clojure: 'clj cljs cljc edn',
  cpp: 'cpp cc cxx hpp hh hxx h ipp',
  csharp: 'cs csx',
  css: 'css',
  dart: 'dart',
  dockerfile: 'dockerfile',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  fsharp: 'fs fsi fsx',
  go: 'go',
  groovy: 'groovy gradle',
  haskell: 'hs',
  html: 'html htm',
  java: 'java',
  javascript: 'js mjs cjs',
  javascriptreact: 'jsx',
  json: 'json',
  jsonc: 'jsonc',
  julia: 'jl',
  jupyter: 'ipynb',
  kotlin: 'kt kts',
  less: 'less',
  lua: 'lua',
  makefile: 'makefile mk',
  markdown: 'md markdown',
  'objective-c': 'm',
  'objective-cpp': 'mm',
  ocaml: 'ml mli',
  perl: 'pl pm',
  php: 'php',
  plaintext: 'txt',
  powershell: 'ps1 psm1 psd1',
  proto3: 'proto',
  python: 'py pyi pyw',
  r: 'r',
  ruby: 'rb rake',
  rust: 'rs',
  scala: 'scala sc',
  scss: 'scss',
  shellscript: 'sh bash zsh',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf tfvars',
  toml: 'toml',
  typescript: 'ts mts cts',
  typescriptreact: 'tsx',
  vue: 'vue',
  xml: 'xml xsd xsl',
  yaml: 'yaml yml',
  zig: 'zig',
};

export const languageIds: readonly string[] = Object.keys(extensions);

/** The file name endings of a language, by VS Code's id or one of the endings; an unknown name is taken as an ending. */
export function extensionsOf(language: string): string[] {
  const name = language.toLowerCase().replace(/^\./, '');
  const byId = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
  const own = byId ?? Object.values(extensions).find((ends) => ends.split(' ').includes(name)) ?? name;
  return own.split(' ');
}
