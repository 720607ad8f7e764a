import type { LanguageName } from './languages.ts';

/** Constants are chosen by `train`, judged by `test`; `final` is looked at once, when all is done. */
export const splits = ['train', 'test', 'final'] as const;
export type Split = (typeof splits)[number];

/** A project that questions are asked of: a package's source, at one version. */
export interface Project {
  /** The name of its package. */
  name: string;
  source: 'npm' | 'debian';
  version: string;
  /** Only files of this language are asked for; the whole project is indexed. */
  language: LanguageName;
  split: Split;
}

const project = (
  language: LanguageName,
  split: Split,
  source: Project['source'],
  name: string,
  version: string,
): Project => ({ language, split, source, name, version });

/** Whole projects of medium size, those of one language in different splits. */
export const projects: readonly Project[] = [
  project('Python', 'train', 'debian', 'python-werkzeug', '2.2.2-3+deb12u1'),
  project('Go', 'train', 'debian', 'golang-github-labstack-echo', '4.2.1-3'),
  project('Java', 'train', 'debian', 'jsoup', '1.15.3-1'),
  project('C', 'train', 'debian', 'grep', '3.8-5'),
  project('TypeScript', 'train', 'npm', 'rxjs', '7.8.2'),
  project('Ruby', 'train', 'debian', 'ruby-sinatra', '3.0.5-3'),
];
