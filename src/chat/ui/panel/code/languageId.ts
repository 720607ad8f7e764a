/** Names that models write behind a fence, and the languages of VS Code that they stand for. */
const ids: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', tsx: 'typescriptreact', js: 'javascript', mjs: 'javascript', jsx: 'javascriptreact' },
  ...{ py: 'python', rb: 'ruby', rs: 'rust', golang: 'go', kt: 'kotlin', cs: 'csharp', 'c#': 'csharp', 'c++': 'cpp' },
  ...{ sh: 'shellscript', bash: 'shellscript', zsh: 'shellscript', shell: 'shellscript', console: 'shellscript' },
  ...{ ps1: 'powershell', pwsh: 'powershell', cmd: 'bat', batch: 'bat', md: 'markdown', yml: 'yaml', tex: 'latex' },
  ...{ docker: 'dockerfile', make: 'makefile', objc: 'objective-c', htm: 'html', text: 'plaintext', txt: 'plaintext' },
};

/** The language id for what a model wrote behind a fence; undefined for none that VS Code knows. */
export function languageIdOf(written: string, known: readonly string[]): string | undefined {
  const name = written.toLowerCase();
  const id = Object.hasOwn(ids, name) ? ids[name] : name;
  return id !== undefined && known.includes(id) ? id : undefined;
}
