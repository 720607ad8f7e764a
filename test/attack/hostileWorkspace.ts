/** Folders made by somebody who wants to hurt whoever opens them. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createTrap, git, type Trap } from './gitPrograms.ts';

export interface HostileWorkspace {
  /** The first is a repository of git, the second is none. */
  readonly roots: readonly [string, string];
  /** Programs that the repository names, as far as they were run. */
  readonly trap: Trap;
  /** What stands in files that must not be read, and in secrets: it may be in no text that is sent, and in no hit. */
  readonly forbidden: readonly string[];
  /** Changes files while they are read, until what it gives is called. */
  disturb(): () => void;
  /** Ends what the workspace keeps open. */
  close(): Promise<void>;
}

/** With so many files, the workspace has all that there is. */
const manyFiles = 10_000;
/** A word of each ordinary file, by which it can be found. */
export const ordinaryWord = 'harbourmaster';
const outsideWord = 'OUTSIDEOFTHEWORKSPACE';
const secretWord = 'Zx9QmL42vTr8KpW1sNb7';

/** Outside a name may have 255 bytes; these are taken as they are. */
const oddNames = [
  'two\nlines.ts',
  'tab\tand\rreturn.ts',
  'reversed\u202egnp.ts',
  '$(trash) $(sync~spin).ts',
  '[click](command:workbench.action.terminal.new).ts',
  '<img src=x onerror=alert(1)>.ts',
  '-rf.ts',
  '--output=x.ts',
  ':(glob)**.ts',
  '!negated.ts',
  '#comment.ts',
  ' blank .ts',
  'trailing.ts ',
  '"quoted" \'twice\'.ts',
  'back\\slash.ts',
  '%00%2e%2e.ts',
  '*.ts',
  '{a,b}.ts',
  '[a-z].ts',
  'ümläut 日本語 🐌.ts',
  'zero\u200bwidth\ufeff.ts',
  `${'l'.repeat(240)}.ts`,
  `${'[long](command:x)'.repeat(14)}.ts`,
];

/** Rules and globs on which a matcher that tries one way after the other never ends. */
const slowRules = [
  `${'*a'.repeat(20)}*b`,
  `${'**/'.repeat(50)}*a*a*a*b`,
  `${'[!b]*'.repeat(60)}b`,
  '['.repeat(10_000),
  '\\',
];

/** Texts that cost a parser or a pattern more than they are long. */
const costlyTexts: Readonly<Record<string, string>> = {
  'brackets.ts': '('.repeat(100_000),
  'braces.json': '{"a":'.repeat(60_000),
  'angles.html': '<a '.repeat(100_000),
  'fences.md': '```\n'.repeat(60_000),
  'quotes.md': '> '.repeat(100_000),
  'tokens.ts': 'eyJ-'.repeat(200_000),
  'keys.ts': `password = ${'a1B'.repeat(60)} \n`.repeat(4_000),
  'machine.txt': 'machine a login b '.repeat(40_000),
  'spaces.py': `${' '.repeat(290)}x\n`.repeat(3_000),
  'names.ts': `${'a.'.repeat(140)}b = (\n`.repeat(3_000),
  'functions.ts': `${'func ('.repeat(45)}\n`.repeat(3_000),
  'oneline.js': `var a=${'1+'.repeat(450_000)}1`,
  'notebook.ipynb': `{"cells":[${'{"source":["a\\n"],"cell_type":"code"},'.repeat(20_000)}`,
  'headers.ts': `// ${'Code generated '.repeat(250)}\n`.repeat(20),
};

/**
 * Makes a hostile workspace.
 * @param folder an empty one; the roots are in it, and beside them what they must not reach
 * @param files how many ordinary files it has besides the others
 */
export async function createHostileWorkspace(folder: string, files: number): Promise<HostileWorkspace> {
  const roots = [join(folder, 'repository'), join(folder, 'plain')] as const;
  const outside = join(folder, 'outside');
  for (const each of [...roots, outside]) mkdirSync(each, { recursive: true });
  writeFileSync(join(outside, 'far.ts'), `export const ${outsideWord} = 1;\n`);
  execFileSync('mkfifo', [join(outside, 'pipe')]);
  const trap = createTrap(join(folder, 'outside'));
  const closers: (() => Promise<void>)[] = [];
  for (const root of roots) {
    writeOrdinary(root, Math.floor(files / 2));
    writeOdd(root);
    writeLinks(root, outside);
    // Git itself never ends on such rules, and is waited for half a minute.
    writeRules(root, root !== roots[0] || files >= manyFiles);
    closers.push(await openSocket(root));
  }
  setUpRepository(roots[0], trap);
  return {
    roots,
    trap,
    forbidden: [outsideWord, secretWord],
    disturb: () => disturb(roots.map((root) => join(root, 'moving'))),
    close: async () => {
      for (const close of closers) await close();
    },
  };
}

function write(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function writeOrdinary(root: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const folder = `src/part${index % 97}/${index % 11}`;
    if (index < 97 * 11) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, `file${index}.ts`), `export const ${ordinaryWord}${index} = ${index};\n`);
  }
}

function writeOdd(root: string): void {
  for (const name of oddNames) write(root, `odd/${name}`, 'export const odd = 1;\n');
  for (const [name, text] of Object.entries(costlyTexts)) write(root, `costly/${name}`, text);
  for (let index = 0; index < 50; index++) write(root, `moving/${index}.ts`, `export const moving = ${index};\n`);
  write(root, `${'deep/'.repeat(300)}down.ts`, 'export const down = 1;\n');
  write(
    root,
    'binary.ts',
    Uint8Array.from({ length: 60_000 }, (_, index) => index % 256),
  );
  write(
    root,
    'no-utf8.ts',
    Buffer.concat([Buffer.from('const a = "'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('";\n')]),
  );
  write(root, 'large.txt', 'line of a large file\n'.repeat(400_000));
  const sparse = openSync(join(root, 'sparse.ts'), 'w');
  ftruncateSync(sparse, 500 * 1024 * 1024);
  closeSync(sparse);
  // Bytes that are no name in any encoding.
  writeFileSync(Buffer.concat([Buffer.from(`${root}/odd/`), Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74, 0x73])]), 'x\n');
  write(root, '.env', `PASSWORD=${secretWord}\n`);
  write(root, 'home/.ssh/id_rsa', `${secretWord}\n`);
  write(root, 'src/config.ts', `export const apiKey = "${secretWord}";\n`);
  write(root, 'locked.ts', 'export const locked = 1;\n');
  chmodSync(join(root, 'locked.ts'), 0);
  execFileSync('mkfifo', [join(root, 'pipe.ts')]);
}

function writeLinks(root: string, outside: string): void {
  mkdirSync(join(root, 'links'));
  const links: Record<string, string> = {
    self: 'self',
    here: '.',
    up: '..',
    there: 'back',
    back: 'there',
    far: outside,
    'far.ts': join(outside, 'far.ts'),
    'far-pipe.ts': join(outside, 'pipe'),
    'passwd.ts': '/etc/passwd',
    'zero.ts': '/dev/zero',
    'gone.ts': '/no/such/file',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, 'links', name));
}

function writeRules(root: string, withGitRules: boolean): void {
  const many = Array.from({ length: 300_000 }, (_, index) => `x${index}`).join('\n');
  const slow = slowRules.join('\n');
  write(root, 'slow/.parleyignore', `${slow}\n*.log\n`);
  if (withGitRules) {
    write(root, 'slow/.gitignore', `${slow}\n*.log\n`);
    write(root, 'slow/.gitattributes', slowRules.map((rule) => `${rule} linguist-generated`).join('\n'));
  }
  write(root, `slow/${'a'.repeat(120)}.ts`, 'export const slow = 1;\n');
  write(root, 'many/.parleyignore', many);
  write(root, 'many/kept-back.ts', `export const keptBack = "${secretWord}back";\n`);
  mkdirSync(join(root, 'rules-pipe'));
  execFileSync('mkfifo', [join(root, 'rules-pipe/.parleyignore')]);
  write(root, 'rules-pipe/kept-back.ts', 'export const behindPipe = 1;\n');
  mkdirSync(join(root, 'rules-link'));
  symlinkSync('/dev/zero', join(root, 'rules-link/.parleyignore'));
  write(root, 'rules-link/kept-back.ts', 'export const behindLink = 1;\n');
}

async function openSocket(root: string): Promise<() => Promise<void>> {
  // A path of a socket has 107 bytes at most, so it is made under a short name.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function setUpRepository(root: string, trap: Trap): void {
  git(root, 'init', '-q');
  // Not all: it takes git half a minute to add 50,000 files, and tracked ones are no worse than new ones.
  git(root, 'add', 'odd', 'src/part0', 'moving');
  git(root, 'commit', '-qm', 'one');
  write(root, 'inner/b.ts', 'export const inner = 1;\n');
  git(join(root, 'inner'), 'init', '-q');
  git(join(root, 'inner'), 'add', '.');
  git(join(root, 'inner'), 'commit', '-qm', 'inner');
  git(root, 'add', 'inner');
  for (const repository of [root, join(root, 'inner')]) trap.set(repository);
  // A folder that looks like a repository, with settings of its own.
  mkdirSync(join(root, 'bare'));
  git(join(root, 'bare'), 'init', '-q', '--bare');
}

/** One change after the other to files that are read meanwhile: longer, shorter, gone, there again, a link, a folder. */
function disturb(folders: readonly string[]): () => void {
  let round = 0;
  const timer = setInterval(() => {
    round++;
    for (const folder of folders) {
      const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
      const name = join(folder, names[round % names.length] ?? '0.ts');
      rmSync(name, { recursive: true, force: true });
      if (round % 5 === 0) symlinkSync('/dev/zero', name);
      else if (round % 5 === 1) mkdirSync(name);
      else if (round % 5 === 2) {
        writeFileSync(`${name}.new`, 'x'.repeat(round * 1_000));
        renameSync(`${name}.new`, name);
      } else writeFileSync(name, `export const moving = ${round};\n`);
    }
  }, 2);
  return () => clearInterval(timer);
}
