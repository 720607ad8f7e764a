import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { terminalText } from '../../../../src/chat/ui/panel/code/terminalText.ts';
import { type Shell, shellOf } from '../../../../src/webview/shared/shellLanguages.ts';
import { constructs } from '../../../attack/constructs.ts';
import { panelConstructs } from '../../../attack/panelConstructs.ts';

const line = (code: string, shell: Shell = 'posix'): string => {
  const made = terminalText(code, shell);
  return made.kind === 'line' ? made.text : made.kind;
};

describe('Code for a terminal', () => {
  it('is one line, without comments, empty lines and prompts', () => {
    assert.equal(line('npm test'), 'npm test');
    assert.equal(line('\n  npm test  \n\n'), 'npm test');
    assert.equal(line('# build it\nnpm ci\n\n# then\nnpm test\n'), 'npm ci && npm test');
    assert.equal(line('$ npm ci\nadded 3 packages\n$ npm test'), 'npm ci && npm test');
    assert.equal(line('me@host:~/src$ ls -la'), 'ls -la');
    assert.equal(line('PS C:\\src> Get-ChildItem\nPS C:\\src> cd ..', 'powershell'), 'Get-ChildItem; cd ..');
    assert.equal(line('C:\\src>dir\r\nfile.txt', 'cmd'), 'dir');
    assert.equal(line('# nothing'), 'empty');
  });

  it('joins lines that go on', () => {
    assert.equal(line('docker run \\\n  -it \\\n  alpine'), 'docker run -it alpine');
    assert.equal(line('cat a |\n  sort |\nuniq'), 'cat a | sort | uniq');
    assert.equal(line('cd a &&\nmake'), 'cd a && make');
    assert.equal(line('cat a\n  | sort'), 'cat a | sort');
    assert.equal(line('Get-Item `\n  a', 'powershell'), 'Get-Item a');
    assert.equal(line('copy a ^\n  b', 'cmd'), 'copy a b');
    assert.equal(line('rm -rf build \\'), 'rm -rf build');
  });

  for (const code of [
    'if [ -f a ]; then\n  rm a\nfi',
    'for f in *; do\necho $f\ndone',
    'cat <<EOF > a\nrm -rf /\nEOF',
    "echo 'one\ntwo'",
    'sleep 9 &\necho done',
    'npm i # installs\nnpm test',
    'f() {\necho a\n}',
    'echo `date\nls`',
  ]) {
    it(`makes no one line of ${JSON.stringify(code)}`, () => assert.equal(line(code), 'lines'));
  }

  it('has a single line as it is, whatever is in it', () => {
    for (const code of ["echo 'it # is'", 'sleep 9 &', 'if true; then ls; fi', 'echo "'])
      assert.equal(line(code), code);
  });

  for (const [name, mark] of [
    ['return', '\r'],
    ['escape', '\u001B'],
    ['end of a paste', '\u001B[201~'],
    ['interrupt', '\u0003'],
    ['end of input', '\u0004'],
    ['accept line', '\u000F'],
    ['next line', '\u0085'],
    ['line separator', '\u2028'],
    ['C1', '\u009B'],
    ['NUL', '\u0000'],
    ['backspace', '\b'],
    ['vertical tab', '\u000B'],
    ['right-to-left override', '\u202E'],
    ['isolate', '\u2066'],
    ['zero-width space', '\u200B'],
    ['byte order mark', '\uFEFF'],
    ['filler', '\u3164'],
    ['tag', '\u{E0041}'],
    ['half a character', '\uD800'],
    ['private use', '\uE000'],
  ] as const) {
    it(`refuses ${name}`, () => {
      for (const code of [`ls${mark}`, `${mark}ls`, `l${mark}s`, `# a\n# ${mark}.\nls`]) {
        assert.equal(line(code), 'unseen', JSON.stringify(code));
      }
    });
  }

  it('makes spaces of tabs, which make a shell complete words', () => {
    assert.equal(line('make\t'), 'make');
    assert.equal(line('make\tall'), 'make all');
  });

  it('takes letters of all scripts and emoji', () => {
    for (const code of ['echo "שלום"', 'echo 👨‍👩‍👧', 'echo ❤️', 'echo é ü 漢字 नमस्ते']) assert.equal(line(code), code);
  });

  it('is no longer than a terminal takes', () => {
    assert.equal(line(`echo ${'a'.repeat(3_990)}`).length, 3_995);
    assert.equal(line(`echo ${'a'.repeat(4_000)}`), 'long');
    assert.equal(line(`echo ${'漢'.repeat(1_400)}`), 'long');
  });

  it('never holds a key that a terminal would take for more than a letter, whatever the code', () => {
    const piece = fc.constantFrom(
      'ls',
      ' ',
      '\n',
      '\r',
      '\t',
      '\\',
      '&&',
      '|',
      '#',
      "'",
      '\u001B',
      '\u202E',
      '$ ',
      'é',
      '\u0085',
    );
    const code = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(code, fc.constantFrom<Shell>('posix', 'powershell', 'cmd'), (text, shell) => {
        const made = terminalText(text, shell);
        if (made.kind === 'line') assert.doesNotMatch(made.text, /[\p{Cc}\p{Zl}\p{Zp}]|[\u202A-\u202E\u2066-\u2069]/u);
      }),
      { numRuns: 5_000 },
    );
    for (const { name, text } of [...constructs, ...panelConstructs]) {
      assert.doesNotMatch(line(text), /[\p{Cc}\p{Zl}\p{Zp}]|[\u202A-\u202E\u2066-\u2069]/u, name);
    }
  });

  it('is offered for shells alone', () => {
    for (const language of ['bash', 'sh', 'Shell', 'zsh', 'console', 'powershell', 'bat']) assert.ok(shellOf(language));
    for (const language of ['', 'js', 'python', '__proto__', 'constructor', 'toString']) {
      assert.equal(shellOf(language), undefined);
    }
  });
});
