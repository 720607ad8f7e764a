import type { AnswerJson } from './readAnswerJson.ts';
import { type Fault, pathText, type Violation } from './violation.ts';

/** Violations that a question names. */
const mostNamed = 50;
/** The longest name or value in a line, in characters. */
const longestPart = 200;

/** Asks for an answer once more that was no JSON. Written for the model, so in English whatever the user's language. */
export function jsonQuestion(read: Extract<AnswerJson, { readonly problem: unknown }>): string {
  const what =
    read.problem === 'unfinished'
      ? 'Your last answer ends before its JSON is whole.'
      : `Your last answer is not valid JSON (line ${read.line}, column ${read.column}).`;
  return `${what} Answer again with the whole JSON, and nothing else.`;
}

/** Asks for an answer that keeps to its schema, by what was wrong with the last one. */
export function fixQuestion(violations: readonly Violation[], hasMore: boolean): string {
  return [
    'Your last answer does not fit its JSON schema:',
    '',
    ...violationLines(violations, hasMore, 'the whole answer'),
    '',
    'Correct this, leave everything else as it is, and answer with the whole corrected JSON, and nothing else.',
  ].join('\n');
}

/** What does not fit a schema, in a line each, for the model. @param whole what is said of a fault of all of it */
export function violationLines(violations: readonly Violation[], hasMore: boolean, whole: string): string[] {
  const place = (path: Violation['path']): string => {
    const text = pathText(path);
    return text === '' ? whole : `\`${cut(text)}\``;
  };
  const named = violations.slice(0, mostNamed).map(({ path, fault }) => `- ${place(path)}: ${faultWords(fault)}`);
  const others = violations.length - named.length;
  if (others === 0 && !hasMore) return named;
  return [...named, `- and ${hasMore || others === 0 ? 'more' : `${others} more`} like these`];
}

const cut = (text: string): string => (text.length > longestPart ? `${text.slice(0, longestPart)}…` : text);

function faultWords(fault: Fault): string {
  switch (fault.kind) {
    case 'type':
      return `must be ${fault.wanted.join(' or ')}, but is ${fault.found}`;
    case 'missing':
      return `lacks the member ${JSON.stringify(cut(fault.name))}`;
    case 'needs':
      return `lacks the member ${JSON.stringify(cut(fault.name))}, which ${JSON.stringify(cut(fault.by))} needs`;
    case 'extra':
      return 'is no member that the schema allows';
    case 'name':
      return 'has a name that the schema does not allow';
    case 'never':
      return 'must not be there';
    case 'not':
      return 'is what the schema excludes';
    case 'anyOf':
      return 'fits none of the forms that the schema allows';
    case 'oneOf':
      return fault.matches === 0
        ? 'fits none of the forms that the schema allows'
        : `must fit one form alone, but fits ${fault.matches}`;
    case 'contains':
      return 'does not have the right number of the items that the schema asks for';
    case 'enum':
      return `must be one of ${cut(fault.wanted)}`;
    case 'const':
      return `must be ${cut(fault.wanted)}`;
    case 'pattern':
      return `must match the pattern ${cut(fault.wanted)}`;
    case 'format':
      return `must have the format ${cut(fault.wanted)}`;
    case 'same':
      return `must differ from the item ${fault.index}`;
    default:
      return boundWords[fault.kind].replace('{0}', String(fault.bound));
  }
}

const boundWords: Record<Extract<Fault, { readonly bound: number }>['kind'], string> = {
  minimum: 'must be at least {0}',
  maximum: 'must be at most {0}',
  above: 'must be more than {0}',
  below: 'must be less than {0}',
  multipleOf: 'must be a multiple of {0}',
  minLength: 'must have at least {0} characters',
  maxLength: 'must have at most {0} characters',
  minItems: 'must have at least {0} items',
  maxItems: 'must have at most {0} items',
  minProperties: 'must have at least {0} members',
  maxProperties: 'must have at most {0} members',
};
