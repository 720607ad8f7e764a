import type { Services } from '../../editor/services.ts';
import type { Planner } from '../planner.ts';
import type { ToolFacts } from './editRequest.ts';
import type { Refusals } from './refusals.ts';
import type { Reviews } from './review/reviews.ts';

/** What leads from an answer to a review. */
export interface EditParts {
  readonly services: Services;
  readonly facts: ToolFacts;
  readonly planner: Planner;
  readonly reviews: Reviews;
  readonly refusals: Refusals;
}
