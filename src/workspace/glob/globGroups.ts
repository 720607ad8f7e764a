/** Tests one character of a name. */
export type CharacterTest = (character: string) => boolean;

/** A part of a name's pattern: a character, a class or wildcard, or a choice of patterns. */
export type GlobPart =
  | { kind: 'text'; text: string }
  | { kind: 'any' }
  | { kind: 'class'; test: CharacterTest; isNegated: boolean }
  | { kind: 'star' }
  | { kind: 'group'; repeat: '?' | '*' | '+' | '@' | '!'; choices: readonly GlobPart[][] };

/** A state of the automaton: a place in the pattern. */
interface State {
  /** The character step to another state; undefined: there is none. */
  step?: { fits(character: string, at: number): boolean; to: number };
  /** States that are reached from here without a character. */
  ways: number[];
}

/** `!(body)`: fails where the body and all that follows match up to the end; elsewhere it matches as `otherwise` does. */
interface Refusal {
  state: number;
  body: number;
  otherwise: number;
}

/**
 * Compiles a pattern with groups, such as `+(a|b)*`, to an automaton that reads the name once, from its end: at each
 * character it is known from which states the rest of the name leads to the pattern's end. That takes the length of the
 * name times that of the pattern, whatever they hold. A refusal is read as in minimatch.
 */
export function groupMatcher(parts: readonly GlobPart[], dot: boolean): (name: string) => boolean {
  const states: State[] = [];
  const refusals: Refusal[] = [];
  const add = (state: Partial<State> = {}): number => states.push({ ways: [], ...state }) - 1;
  const end = add();

  /**
   * Builds the state from which these parts lead to `next`.
   * @param out the state after a repetition around them: a refusal looks there and not at the next turn
   */
  function build(list: readonly GlobPart[], next: number, out: number): number {
    const [part, ...rest] = list;
    if (part === undefined) return next;
    const after = build(rest, next, out);
    if (part.kind !== 'group') return buildOne(part, after);
    const afterOut = next === out ? after : build(rest, out, out);
    return buildGroup(part, after, afterOut);
  }

  function buildOne(part: Exclude<GlobPart, { kind: 'group' }>, after: number): number {
    const wild = (character: string, at: number): boolean => dot || at > 0 || character !== '.';
    if (part.kind === 'text') return add({ step: { fits: (character) => character === part.text, to: after } });
    if (part.kind === 'class') return add({ step: { fits: part.test, to: after } });
    if (part.kind === 'any') return add({ step: { fits: wild, to: after } });
    const star = add({ ways: [after] });
    states[star] = { step: { fits: wild, to: star }, ways: [after] };
    return star;
  }

  function buildGroup(
    { repeat, choices }: Extract<GlobPart, { kind: 'group' }>,
    after: number,
    afterOut: number,
  ): number {
    if (repeat === '!') {
      const body = add({ ways: choices.map((choice) => build(choice, afterOut, afterOut)) });
      const refusal = { state: add(), body, otherwise: buildOne({ kind: 'star' }, after) };
      refusals.push(refusal);
      return refusal.state;
    }
    const again = add();
    const start = add();
    const ways = choices.map((choice) => build(choice, again, afterOut));
    const isRepeated = repeat === '*' || repeat === '+';
    states[again] = { ways: isRepeated ? [after, start] : [after] };
    states[start] = { ways: repeat === '*' || repeat === '?' ? [after, ...ways] : ways };
    return start;
  }

  const start = build(parts, end, end);
  return simulation(states, refusals, start, end);
}

function simulation(
  states: readonly State[],
  refusals: readonly Refusal[],
  start: number,
  end: number,
): (name: string) => boolean {
  /** States that lead to each one without a character. */
  const back: number[][] = states.map(() => []);
  for (const [from, { ways }] of states.entries()) for (const to of ways) back[to]?.push(from);

  function put(reached: Uint8Array, state: number): void {
    const open = [state];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached[next]) continue;
      reached[next] = 1;
      open.push(...(back[next] ?? []));
    }
  }

  /** Accepts one refusal at a time, the first that is possible: those within it, and after it, are decided by then. */
  function decide(reached: Uint8Array): void {
    const isOpen = ({ state, body, otherwise }: Refusal): boolean =>
      !reached[state] && !reached[body] && Boolean(reached[otherwise]);
    for (let next = refusals.find(isOpen); next !== undefined; next = refusals.find(isOpen)) put(reached, next.state);
  }

  return (name) => {
    let reached = new Uint8Array(states.length);
    put(reached, end);
    decide(reached);
    for (let at = name.length - 1; at >= 0; at--) {
      const before = new Uint8Array(states.length);
      for (const [from, { step }] of states.entries()) {
        if (step !== undefined && reached[step.to] && step.fits(name[at] as string, at)) put(before, from);
      }
      decide(before);
      reached = before;
    }
    return reached[start] === 1;
  };
}
