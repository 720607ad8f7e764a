import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Language, Parser } from '@vscode/tree-sitter-wasm';

/** The grammar of each file extension, by the name of its file. C is parsed as C++. */
const grammarOf: Readonly<Record<string, string>> = {
  ...endings('bash', 'sh bash bats zsh'),
  ...endings('c-sharp', 'cs csx'),
  ...endings('cpp', 'c cc cpp cxx h hh hpp hxx ino cu cuh'),
  ...endings('css', 'css'),
  ...endings('go', 'go'),
  ...endings('ini', 'ini cfg conf properties editorconfig desktop service'),
  ...endings('java', 'java'),
  ...endings('javascript', 'js mjs cjs jsx'),
  ...endings('kotlin', 'kt kts'),
  ...endings('php', 'php phtml'),
  ...endings('powershell', 'ps1 psm1 psd1'),
  ...endings('python', 'py pyi pyw'),
  ...endings('ruby', 'rb rake gemspec ru'),
  ...endings('rust', 'rs'),
  ...endings('scala', 'scala sc sbt'),
  ...endings('tsx', 'tsx'),
  ...endings('typescript', 'ts mts cts'),
};

function endings(grammar: string, list: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((ending) => [ending, grammar]));
}

/** The grammar for the files of this name, if there is one. */
export function grammarFor(path: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(grammarOf, ending) ? grammarOf[ending] : undefined;
}

/** Folder of the compressed grammars in the bundle; in the repository they lie in their packages. */
const packed = import.meta.dirname === undefined ? join(__dirname, 'grammars') : undefined;
const packages = packed ?? join(import.meta.dirname, '../../node_modules');
/** The grammars that VS Code's package does not have, by their package. */
const others: Readonly<Record<string, string>> = {
  'tree-sitter-kotlin': '@lumis-sh/wasm-kotlin',
  'tree-sitter-scala': '@lumis-sh/wasm-scala',
};

async function readWasm(name: string): Promise<Uint8Array> {
  if (packed === undefined) {
    return readFile(join(packages, others[name] ?? '@vscode/tree-sitter-wasm/wasm', `${name}.wasm`));
  }
  return promisify(brotliDecompress)(await readFile(join(packed, `${name}.wasm.br`)));
}

let runtime: Promise<typeof import('@vscode/tree-sitter-wasm')> | undefined;
const parsers = new Map<string, Promise<Parser | undefined>>();

let tell: (grammar: string, error: unknown) => void = () => undefined;

/** Sets the listener called once for each grammar that cannot be loaded. */
export function onGrammarFailure(listener: typeof tell): void {
  tell = listener;
}

/**
 * The parser for a grammar, loaded on first use and then cached. Undefined when it cannot be loaded: the text is then
 * cut without it.
 */
export function parserOf(grammar: string): Promise<Parser | undefined> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  const loading = load(grammar).catch((error: unknown) => {
    tell(grammar, error);
    return undefined;
  });
  parsers.set(grammar, loading);
  return loading;
}

async function load(grammar: string): Promise<Parser> {
  runtime ??= start();
  const { Language, Parser } = await runtime;
  const language: Language = await Language.load(await readWasm(`tree-sitter-${grammar}`));
  return new Parser().setLanguage(language);
}

/** The runtime's own stack, whose pointer stays where it is when an error leaves the runtime. */
interface RuntimeStack {
  emscripten_stack_get_current(): number;
  _emscripten_stack_restore(pointer: number): void;
}
let stack: RuntimeStack | undefined;

/** Calls the runtime. An error on the way, such as the end of a grammar's own bounds, leaves it fit for the next call. */
export function callRuntime<T>(call: () => T): T {
  const pointer = stack?.emscripten_stack_get_current();
  try {
    return call();
  } catch (error) {
    if (pointer !== undefined) stack?._emscripten_stack_restore(pointer);
    throw error;
  }
}

async function start(): Promise<typeof import('@vscode/tree-sitter-wasm')> {
  const imported = await import('@vscode/tree-sitter-wasm');
  // A CommonJS module: Node gives it as the default export.
  const module = ('default' in imported ? imported.default : imported) as typeof imported;
  const compiled = await WebAssembly.compile((await readWasm('tree-sitter')) as Uint8Array<ArrayBuffer>);
  // A hook of Emscripten, which made the runtime: without it the stack could not be reached.
  const options = {
    instantiateWasm(
      imports: WebAssembly.Imports,
      take: (instance: WebAssembly.Instance, of: WebAssembly.Module) => object,
    ) {
      const instance = new WebAssembly.Instance(compiled, imports);
      stack = instance.exports as unknown as RuntimeStack;
      return take(instance, compiled);
    },
  };
  await (module.Parser.init as (options: object) => Promise<void>)(options);
  return module;
}
