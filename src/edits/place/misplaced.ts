/** Why code has no place: several fit, or none does. */
export type Misplaced = 'ambiguous' | 'unplaced';
