import type { LanguageName } from './languages.ts';

/** Constants are chosen by `train`, judged by `test`; `final` is looked at once, when all is done. */
export const splits = ['train', 'test', 'final'] as const;
export type Split = (typeof splits)[number];

/** Whether the final projects are asked, too: once, as who looks again chooses by them. */
export const withFinal: boolean = process.env['PARLEY_BENCH_FINAL'] === '1';

/** A project that questions are asked of: a package's source, at one version. */
export interface Project {
  /** The name of its package. */
  name: string;
  /** A source package of Debian is a whole repository; a binary one holds the code of languages that are not compiled. */
  source: 'npm' | 'debian-source' | 'debian-binary';
  version: string;
  /** Only files of this language are asked for; the whole project is indexed. */
  language: LanguageName;
  split: Split;
  /** The parts of the package that its repository has, too; all of it where absent. Others are built from them. */
  parts?: readonly string[];
}

const project = (
  language: LanguageName,
  split: Split,
  source: Project['source'],
  name: string,
  version: string,
  parts?: readonly string[],
): Project => ({ language, split, source, name, version, ...(parts === undefined ? {} : { parts }) });

/** Whole projects of medium size, those of one language in different splits. */
export const projects: readonly Project[] = [
  project('Python', 'train', 'debian-binary', 'python3-dulwich', '0.21.2-1+b1'),
  project('Python', 'train', 'debian-source', 'meson', '1.0.1-5'),
  project('Python', 'test', 'debian-binary', 'python3-passlib', '1.7.4-3'),
  project('Python', 'test', 'debian-binary', 'python3-networkx', '2.8.8-1'),
  project('Python', 'final', 'debian-binary', 'gajim', '1.7.3-2'),
  project('Ruby', 'train', 'debian-binary', 'ruby-rspec-core', '3.12.0c0e1m1s0-1'),
  project('Ruby', 'train', 'debian-binary', 'ruby-rouge', '3.30.0-2'),
  project('Ruby', 'test', 'debian-binary', 'ruby-concurrent', '1.1.6+dfsg-5'),
  project('Ruby', 'final', 'debian-binary', 'ruby-net-ssh', '1:7.0.1-1'),
  project('Go', 'train', 'debian-source', 'golang-github-labstack-echo', '4.2.1-3'),
  project('Go', 'train', 'debian-source', 'golang-github-spf13-cobra', '1.6.1-1'),
  project('Go', 'test', 'debian-source', 'golang-github-gin-gonic-gin', '1.8.1-1'),
  project('Go', 'test', 'debian-source', 'golang-github-yuin-goldmark', '1.5.4-1'),
  project('Go', 'final', 'debian-source', 'fzf', '0.38.0-1'),
  project('Rust', 'train', 'debian-source', 'rust-clap', '4.0.32-1'),
  project('Rust', 'train', 'debian-binary', 'librust-url-dev', '2.3.1-1'),
  project('Rust', 'test', 'debian-binary', 'librust-h2-dev', '0.3.13-2'),
  project('Rust', 'test', 'debian-binary', 'librust-rustls-dev', '0.20.8-4'),
  project('Rust', 'final', 'debian-binary', 'librust-tera-dev', '1.17.1-1'),
  project('Java', 'train', 'debian-source', 'jsoup', '1.15.3-1'),
  project('Java', 'train', 'debian-source', 'commons-io', '2.11.0-2'),
  project('Java', 'test', 'debian-source', 'commons-csv', '1.9.0-1'),
  project('Java', 'test', 'debian-source', 'httpcomponents-client', '4.5.14-1'),
  project('Java', 'final', 'debian-source', 'picocli', '4.6.2-2'),
  project('C#', 'train', 'debian-source', 'nunit', '2.6.4+dfsg-1.1'),
  project('C#', 'train', 'debian-source', 'dbus-sharp', '0.8.1-2.1'),
  project('C#', 'test', 'debian-source', 'newtonsoft-json', '6.0.8+dfsg-1.1'),
  project('C#', 'final', 'debian-source', 'keepass2', '2.47+dfsg-2'),
  project('PHP', 'train', 'debian-source', 'php-monolog', '2.9.1-1'),
  project('PHP', 'test', 'debian-source', 'php-parser', '4.15.4-1'),
  project('PHP', 'final', 'debian-source', 'php-laravel-framework', '8.83.26+dfsg-2'),
  project('C', 'train', 'debian-source', 'grep', '3.8-5'),
  project('C', 'train', 'debian-source', 'tmux', '3.3a-3'),
  project('C', 'test', 'debian-source', 'libmicrohttpd', '0.9.75-6'),
  project('C', 'test', 'debian-source', 'jansson', '2.14-2'),
  project('C', 'final', 'debian-source', 'lighttpd', '1.4.69-1'),
  project('C++', 'train', 'debian-source', 'leveldb', '1.23-4'),
  project('C++', 'train', 'debian-source', 'fmtlib', '9.1.0+ds1-2'),
  project('C++', 'test', 'debian-source', 're2', '20220601+dfsg-1'),
  project('C++', 'test', 'debian-source', 'spdlog', '1:1.10.0+ds-0.4'),
  project('C++', 'final', 'debian-source', 'ledger', '3.3.0-3'),
  project('JavaScript', 'train', 'debian-source', 'node-express', '4.18.2+~4.17.14-1'),
  project('JavaScript', 'train', 'npm', 'fastify', '5.12.8'),
  project('JavaScript', 'test', 'debian-source', 'node-commander', '9.4.1-1'),
  project('JavaScript', 'test', 'npm', 'mocha', '12.0.3', ['bin', 'lib']),
  project('JavaScript', 'test', 'npm', 'pino', '10.4.0'),
  project('JavaScript', 'final', 'npm', 'leaflet', '1.9.4', ['src']),
  project('TypeScript', 'train', 'npm', 'rxjs', '7.8.2', ['src']),
  project('TypeScript', 'train', 'npm', 'zod', '4.6.7', ['src']),
  project('TypeScript', 'test', 'npm', '@reduxjs/toolkit', '2.14.0', ['src']),
  project('TypeScript', 'test', 'npm', '@tanstack/query-core', '5.108.0', ['src']),
  project('TypeScript', 'final', 'npm', 'mobx', '7.1.3', ['src']),
  project('Kotlin', 'train', 'debian-source', 'kotlinx-coroutines', '1.0.1-2'),
  project('Kotlin', 'test', 'npm', '@stripe/stripe-react-native', '0.78.0', ['android', 'ios', 'src']),
  project('Kotlin', 'final', 'npm', 'expo-dev-menu', '57.0.18', ['android', 'ios', 'src']),
  project('Swift', 'train', 'npm', 'lottie-ios', '4.6.1'),
  project('Swift', 'test', 'npm', 'expo-updates', '57.0.24', ['android', 'ios', 'src', 'cli', 'e2e']),
  project('Swift', 'final', 'npm', '@capacitor/ios', '8.5.2'),
  project('Lua', 'train', 'debian-source', 'lua-http', '0.4-1'),
  project('Lua', 'test', 'debian-source', 'luarocks', '3.8.0+dfsg1-1'),
  project('Lua', 'final', 'debian-source', 'awesome', '4.3-7'),
  project('Haskell', 'train', 'debian-source', 'haskell-megaparsec', '9.2.2-1'),
  project('Haskell', 'train', 'debian-source', 'xmonad', '0.17.1-1'),
  project('Haskell', 'test', 'debian-source', 'haskell-hakyll', '4.15.1.1-1'),
  project('Haskell', 'final', 'debian-source', 'haskell-optparse-applicative', '0.16.1.0-1'),
  project('Perl', 'train', 'debian-source', 'libmojolicious-perl', '9.31+dfsg-1'),
  project('Perl', 'test', 'debian-source', 'libplack-perl', '1.0050-1'),
  project('Perl', 'test', 'debian-source', 'libtemplate-perl', '2.27-1'),
  project('Perl', 'final', 'debian-source', 'libwww-perl', '6.68-1'),
];
