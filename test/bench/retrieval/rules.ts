import type { Gains } from '../../../src/search/query/ranking.ts';

/** The rules of ranking, each with the gains that turn it off. Of every rule the bench shows what it adds. */
export const rules: readonly (readonly [name: string, off: Partial<Gains>])[] = [
  ['definitions', { definition: 0 }],
  ['names of file and folder', { path: 0 }],
  ['coherence of a file', { coherence: 0 }],
  ['tests and examples behind', { aside: 1 }],
  ['declarations behind', { declaration: 1 }],
  ['two hits a file at the top', { top: 0 }],
];

/** What turns all rules off. */
export const allOff: Partial<Gains> = Object.assign({}, ...rules.map(([, off]) => off));
