/** Why code has no place: several fit, none does, or lines of the file would go that the answer does not name. */
export type Misplaced = 'ambiguous' | 'unplaced' | 'left-out';
