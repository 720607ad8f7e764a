import { l10n } from 'vscode';
import type { Checked } from '../../structured/check/checkValue.ts';
import type { AnswerJson } from '../../structured/readAnswerJson.ts';
import type { Fault, Unchecked } from '../../structured/violation.ts';

/** What is wrong at a place of an answer, in one sentence. */
export function violationText(fault: Fault): string {
  switch (fault.kind) {
    case 'type':
      return l10n.t('must be {0}, is {1}', fault.wanted.join(l10n.t(' or ')), fault.found);
    case 'missing':
      return l10n.t('“{0}” is missing', fault.name);
    case 'needs':
      return l10n.t('“{0}” is missing, which “{1}” needs', fault.name, fault.by);
    case 'extra':
      return l10n.t('is not in the schema');
    case 'name':
      return l10n.t('has a name that the schema does not allow');
    case 'never':
      return l10n.t('must not be there');
    case 'not':
      return l10n.t('is what the schema excludes');
    case 'anyOf':
      return l10n.t('fits none of the forms of the schema');
    case 'oneOf':
      return fault.matches === 0
        ? l10n.t('fits none of the forms of the schema')
        : l10n.t('must fit one form of the schema, fits {0}', fault.matches);
    case 'contains':
      return l10n.t('does not have the right number of the items that the schema asks for');
    case 'enum':
      return l10n.t('must be one of {0}', fault.wanted);
    case 'const':
      return l10n.t('must be {0}', fault.wanted);
    case 'pattern':
      return l10n.t('must match the pattern {0}', fault.wanted);
    case 'format':
      return l10n.t('must have the format {0}', fault.wanted);
    case 'same':
      return l10n.t('is the same as the item {0}', fault.index);
    default:
      return boundText(fault);
  }
}

function boundText({ kind, bound }: Extract<Fault, { readonly bound: number }>): string {
  switch (kind) {
    case 'minimum':
      return l10n.t('must be at least {0}', bound);
    case 'maximum':
      return l10n.t('must be at most {0}', bound);
    case 'above':
      return l10n.t('must be more than {0}', bound);
    case 'below':
      return l10n.t('must be less than {0}', bound);
    case 'multipleOf':
      return l10n.t('must be a multiple of {0}', bound);
    case 'minLength':
      return l10n.t('must have at least {0} characters', bound);
    case 'maxLength':
      return l10n.t('must have at most {0} characters', bound);
    case 'minItems':
      return l10n.t('must have at least {0} items', bound);
    case 'maxItems':
      return l10n.t('must have at most {0} items', bound);
    case 'minProperties':
      return l10n.t('must have at least {0} members', bound);
    case 'maxProperties':
      return l10n.t('must have at most {0} members', bound);
  }
}

/** How it stands with the schema, in one line. */
export function checkSummary({ violations, hasMore, isWhole }: Checked): string {
  const count = violations.length;
  if (hasMore) return l10n.t('More than {0} places do not fit the schema', count);
  if (count > 1) return l10n.t('{0} places do not fit the schema', count);
  if (count === 1) return l10n.t('1 place does not fit the schema');
  return isWhole ? l10n.t('Fits the schema') : l10n.t('Not all of it was checked');
}

/** What was not checked, a sentence for each. */
export function uncheckedText({ unchecked, isWhole }: Checked): string[] {
  const rest = isWhole ? [] : [l10n.t('The check was ended early: with this schema it would take too long.')];
  return [...unchecked.map(passedText), ...rest];
}

function passedText({ kind, text }: Unchecked): string {
  switch (kind) {
    case 'remote':
      return l10n.t('Not checked: {0} is another document, which Parley does not fetch.', text);
    case 'lost':
      return l10n.t('Not checked: {0} leads nowhere in the schema.', text);
    case 'circle':
      return l10n.t('Not checked: {0} leads back to itself.', text);
    case 'pattern':
      return l10n.t('Not checked: the pattern {0}.', text);
    case 'keyword':
      return l10n.t('Not checked: {0}, which Parley does not know.', text);
    case 'deep':
      return l10n.t('Not checked: what is more than 400 levels deep in the schema.');
  }
}

/** Why an answer cannot be shown as JSON. @param isCut whether it was stopped, or reached the token limit */
export function jsonProblemText(
  { problem, line, column }: Extract<AnswerJson, { readonly problem: unknown }>,
  isCut: boolean,
): string {
  switch (problem) {
    case 'empty':
      return l10n.t('There is no JSON in this answer.');
    case 'tooLong':
      return l10n.t('This JSON has more than 2,000,000 characters; it is shown as text, and not checked.');
    case 'tooDeep':
      return l10n.t('This JSON has more than 100 levels; it is shown as text, and not checked.');
    case 'broken':
      return l10n.t('This is not JSON: line {0}, column {1}.', line, column);
    case 'unfinished':
      return isCut
        ? l10n.t('The answer was cut off before its JSON was whole.')
        : l10n.t('This is not JSON: it ends before it is whole.');
  }
}
