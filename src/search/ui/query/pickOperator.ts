import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import { parseQuery } from '../../query/filter/parseQuery.ts';
import { compileRule } from '../../query/filter/textRule.ts';
import { sentenceOf } from '../shared/sentences.ts';

/** What can be typed in a question to narrow it. */
export type Operator = 'phrase' | 'not' | 'symbol' | 'pattern';

/** How each is typed, with an example. */
const forms: Readonly<Record<Operator, (value: string) => string>> = {
  phrase: (value) => `"${value.replaceAll('"', '\\"')}"`,
  not: (value) => (/\s/.test(value) ? `NOT "${value}"` : `NOT ${value}`),
  symbol: (value) => `symbol:${value}`,
  pattern: (value) => (/^\/.*\/[ims]*$/.test(value) ? value : `/${value.replaceAll('/', '\\/')}/`),
};

/** The operators as rows of the filter box, which show how they are typed. */
export function operatorItems(): (QuickPickItem & { operator: Operator })[] {
  const item = (operator: Operator, label: string, example: string, icon: string) => {
    return { operator, label, description: forms[operator](example), iconPath: new ThemeIcon(icon) };
  };
  return [
    item('phrase', l10n.t('Phrase'), l10n.t('these very words'), 'quote'),
    item('not', l10n.t('Without'), l10n.t('word'), 'exclude'),
    item('symbol', l10n.t('Symbol'), l10n.t('name'), 'symbol-method'),
    item('pattern', l10n.t('Regular Expression'), 'from_\\w+', 'regex'),
  ];
}

/** Asks for what an operator narrows by, and gives it as it is typed in a question. Undefined when the user cancelled. */
export async function askForOperator(operator: Operator): Promise<string | undefined> {
  const asked: Readonly<Record<Operator, readonly [title: string, prompt: string]>> = {
    phrase: [l10n.t('Phrase'), l10n.t('Only hits that hold these very words, in this order.')],
    not: [l10n.t('Without'), l10n.t('Only hits without this word or phrase.')],
    symbol: [l10n.t('Symbol'), l10n.t('Only hits that declare a name with these letters.')],
    pattern: [
      l10n.t('Regular Expression'),
      l10n.t('Only hits that match, such as {0}; any letters while all are small.', 'from_\\w+'),
    ],
  };
  const [title, prompt] = asked[operator];
  const value = await window.showInputBox({
    title,
    prompt,
    validateInput: (typed) => (typed.trim() === '' ? undefined : problemOf(forms[operator](typed.trim()))),
  });
  return value === undefined || value.trim() === '' ? undefined : forms[operator](value.trim());
}

/** What is wrong with an operator, while it is typed. */
function problemOf(typed: string): string | undefined {
  try {
    for (const rule of parseQuery(typed).rules ?? []) compileRule(rule);
    return undefined;
  } catch (error) {
    return sentenceOf(error);
  }
}
