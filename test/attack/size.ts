/**
 * How large an attack is: `npm run attack` makes it whole, `npm test` a short form of it that tries each kind of thing.
 * PARLEY_ATTACK=full asks for the whole.
 */
export const isFull: boolean = process.env.PARLEY_ATTACK === 'full';

/** The number for the attack that runs. */
export function sized(full: number, short: number): number {
  return isFull ? full : short;
}
