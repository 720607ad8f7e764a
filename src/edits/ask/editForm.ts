import { isJsonObject } from '../../base/jsonText.ts';
import type { FormRecord } from '../../service/compat/fieldMemory.ts';
import { fitsPattern } from '../../service/models/models.ts';

/**
 * The form in which a model is asked for edits: as calls of a tool, as SEARCH/REPLACE blocks under the path of their file, or as all
 * of the selected lines anew.
 */
export type EditForm = 'tool' | 'blocks' | 'whole';

/** What the form of a question depends on. */
export interface FormChoice {
  /** `parley.edits.form`; a value that makes no sense counts as `auto`. */
  readonly setting: unknown;
  /** `parley.edits.formByModel`: forms by pattern of model names. */
  readonly byModel: unknown;
  readonly model: string;
  /** Whether the model calls tools, by the user's settings or the service's list; undefined where nobody says. */
  readonly hasTools: boolean | undefined;
  readonly learned: Readonly<Partial<Record<EditForm, FormRecord>>>;
  readonly selectedLines: number;
}

const forms: readonly EditForm[] = ['tool', 'blocks', 'whole'];
/** The longest selection, in lines, that a model without tools writes anew as a whole: it costs little, and needs no place. */
const mostWholeLines = 40;
/** A form that failed so many times more than it worked is known to be done badly. */
const fewFailures = 2;
const mostPatterns = 100;

/**
 * The form to ask in. What the user set counts before all else, by the last pattern that fits, then for all models; but tools that the
 * service refused are not offered again.
 */
export function chooseForm({ setting, byModel, model, hasTools, learned, selectedLines }: FormChoice): EditForm {
  const set = setForm(byModel, setting, model);
  const takesTools = learned.tool?.isRefused !== true;
  if (set !== undefined) return set === 'tool' && !takesTools ? 'blocks' : set;
  const isCaller = hasTools ?? (learned.tool?.worked ?? 0) > 0;
  if (isCaller && takesTools && !isDoneBadly(learned.tool)) return 'tool';
  return selectedLines <= mostWholeLines || isDoneBadly(learned.blocks) ? 'whole' : 'blocks';
}

/** The form that the user set for a model; undefined where Parley chooses. */
export function setForm(byModel: unknown, setting: unknown, model: string): EditForm | undefined {
  const patterns = isJsonObject(byModel) ? Object.entries(byModel).slice(0, mostPatterns) : [];
  const fitting = patterns.filter(
    ([pattern, form]) => (isForm(form) || form === 'auto') && fitsPattern(pattern, model),
  );
  const found = fitting.at(-1)?.[1] ?? setting;
  return isForm(found) ? found : undefined;
}

function isForm(value: unknown): value is EditForm {
  return forms.some((form) => form === value);
}

function isDoneBadly(record: FormRecord | undefined): boolean {
  return record !== undefined && record.failed - record.worked >= fewFailures;
}
