import type { DispatchGrowth } from '../conversation/conversation.ts';
import { type BeginningJoint, createBeginningJoint } from './beginningJoint.ts';
import { createJoint, type Joint } from './continuation.ts';

/** What an answer goes on from. */
export interface GoesOnFrom {
  readonly text: string;
  readonly reasoning: string;
  /** The answer that the text was taken from, where it ends with another token: the service has to go on from the very end. */
  readonly forkOf?: string | undefined;
}

/** Joins what comes to what an answer goes on from, or has it take the place of that, where the service did not go on. */
export interface GoingOn extends Joint {
  /** Takes in thoughts of the model. */
  think(text: string): void;
  /** All that came so far is these instead. */
  replace(text: string, reasoning: string): void;
}

/** @param flush passes on the text that is gathered, before all of it is written anew */
export function createGoingOn(before: GoesOnFrom, dispatch: DispatchGrowth, flush: () => void): GoingOn {
  let joint = jointOf(before);
  /** All thoughts so far, of an answer whose beginning may turn out not to be in it. */
  const thoughts = [before.reasoning];
  const isAnew = (): boolean => 'isAnew' in joint && joint.isAnew;
  const tellAnew = () => dispatch({ type: 'describe', facts: { fork: { at: before.text.length, isAnew: true } } });

  return {
    think(text) {
      if (before.forkOf !== undefined) thoughts.push(text);
    },
    take(text) {
      const wasAnew = isAnew();
      const fresh = joint.take(text);
      if (wasAnew || !isAnew()) return fresh;
      flush();
      dispatch({ type: 'rewrite', text: '', reasoning: thoughts.join('') });
      tellAnew();
      return fresh;
    },
    replace(text, reasoning) {
      flush();
      thoughts.splice(1, thoughts.length, reasoning);
      joint = jointOf(before);
      const fresh = joint.take(text);
      dispatch({ type: 'rewrite', text: (isAnew() ? '' : before.text) + fresh, reasoning: thoughts.join('') });
      if (isAnew()) tellAnew();
    },
    end: () => joint.end(),
  };
}

function jointOf({ text, forkOf }: GoesOnFrom): Joint | BeginningJoint {
  return forkOf === undefined ? createJoint(text) : createBeginningJoint(text, forkOf);
}
