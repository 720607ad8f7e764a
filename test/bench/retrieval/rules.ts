import { type Gains, gains } from '../../../src/search/query/ranking.ts';

const off = (...kinds: (keyof Gains['kinds'])[]): Partial<Gains> => ({
  kinds: { ...gains.kinds, ...Object.fromEntries(kinds.map((kind) => [kind, 1])) },
});

/** The rules of ranking, each with the gains that turn it off. Of every rule the bench shows what it adds. */
export const rules: readonly (readonly [name: string, off: Partial<Gains>])[] = [
  ['definitions', { definition: 0 }],
  ['the very name', { exact: 0 }],
  ['names of file and folder', { path: 0 }],
  ['sums over a file', { file: 0 }],
  ['tests and examples behind', off('test', 'example', 'old')],
  ['prose behind', off('prose')],
  ['declarations, output and build files behind', off('declaration', 'output', 'build')],
  ['further hits of a file behind', { repeat: 1 }],
];

/** What turns all rules off. */
export const allOff: Partial<Gains> = {
  ...Object.assign({}, ...rules.map(([, gain]) => gain)),
  ...off(...(Object.keys(gains.kinds) as (keyof Gains['kinds'])[])),
};
