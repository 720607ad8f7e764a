import { l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../../base/errors.ts';
import { withProgress } from '../../../editor/progress.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import type { ServiceClient } from '../../../service/client.ts';
import { type Endpoint, originOf } from '../../../service/endpoint.ts';
import {
  hasOtherWords,
  leastBias,
  longestWord,
  mostBias,
  mostWords,
  parseBias,
  parseTokenIds,
  readTokenIds,
  readWords,
  textsOfWord,
  tokenizeBody,
  type WordTokens,
} from '../../parameters/logitBias.ts';

/** The longest answer of a tokenizer, in bytes. */
const longestAnswer = 256 * 1024;

/** What words are made likelier or rarer with. */
export interface BiasParts {
  readonly client: Pick<ServiceClient, 'transport'>;
  /** The service that the conversation asks. */
  endpoint(): Promise<Endpoint>;
  /** Gives tokens a bias, beside those that the conversation has by then. */
  add(ids: readonly number[], bias: number): Promise<void>;
}

/**
 * Asks for words, and how likely they are to be. Their tokens are those that the service tells; of one that tells none, the user
 * gives them: they differ with each model.
 */
export async function biasWords(parts: BiasParts): Promise<void> {
  const title = l10n.t('Logit Bias by Words');
  const written = await window.showInputBox({
    title,
    prompt: l10n.t('Words that answers are to have less or more often, with commas between them'),
    placeHolder: l10n.t('delve, tapestry'),
    ignoreFocusOut: true,
    validateInput: (text) =>
      hasOtherWords(text)
        ? l10n.t('At most {0} words, each of at most {1} characters', mostWords, longestWord)
        : undefined,
  });
  const words = readWords(written ?? '');
  if (words.length === 0) return;
  const told = await tokensOf(words, parts);
  const ids = told === undefined ? await askForIds(title, words) : await chooseTexts(title, told);
  if (ids === undefined || ids.length === 0) return;
  const bias = await askForBias(title);
  if (bias !== undefined) await parts.add(ids, bias);
}

/** The tokens of each word; undefined where the service does not tell them. */
async function tokensOf(words: readonly string[], parts: BiasParts): Promise<WordTokens[] | undefined> {
  const endpoint = await parts.endpoint();
  const texts = words.flatMap(textsOfWord);
  return withProgress(l10n.t('Asking the service for the tokens of the words'), async (signal) => {
    // llama.cpp and vLLM have it beside the API, gateways below it.
    for (const base of new Set([originOf(endpoint.baseUrl), endpoint.baseUrl])) {
      const all: WordTokens[] = [];
      for (const text of texts) {
        const ids = await askTokenizer(`${base}/tokenize`, text, endpoint, parts.client, signal);
        if (ids === undefined) break;
        all.push({ text, ids });
      }
      if (all.length === texts.length) return all;
    }
    return undefined;
  });
}

async function askTokenizer(
  url: string,
  text: string,
  { model, apiKey }: Endpoint,
  { transport }: BiasParts['client'],
  signal: AbortSignal,
): Promise<number[] | undefined> {
  try {
    const { body } = await transport.send({ method: 'POST', url, apiKey, body: tokenizeBody(model, text) }, signal);
    return readTokenIds(JSON.parse(await beginningOf(body)));
  } catch (error) {
    if (isCancelled(error)) throw error;
    // Whatever it says, it does not tell the tokens.
    if (error instanceof ServiceError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of body) {
    pieces.push(bytes);
    size += bytes.length;
    if (size > longestAnswer) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function askForIds(title: string, words: readonly string[]): Promise<number[] | undefined> {
  const ids = await window.showInputBox({
    title,
    prompt: l10n.t('This service does not tell its tokens. The ids of {0} for its model:', plain(words.join(', '))),
    placeHolder: '1734, 50256',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || parseTokenIds(text) !== undefined
        ? undefined
        : l10n.t('Whole numbers, with commas between'),
  });
  return ids === undefined ? undefined : parseTokenIds(ids);
}

/** A bias is that of a token: of a word of several, each part would be rarer in other words, too. */
async function chooseTexts(title: string, told: readonly WordTokens[]): Promise<number[] | undefined> {
  const items = told.map(({ text, ids }) => ({
    label: plain(text.replace(/^ /, '␣')),
    description: ids.slice(0, 12).join(', '),
    detail: ids.length === 1 ? '' : l10n.t('{0} tokens, which are parts of other words, too', ids.length),
    picked: ids.length === 1,
    ids,
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('Which are meant? ␣ is a space: the word within a sentence'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen && [...new Set(chosen.flatMap(({ ids }) => ids))];
}

async function askForBias(title: string): Promise<number | undefined> {
  const choices = [
    { label: l10n.t('Never'), description: '−100', value: leastBias },
    { label: l10n.t('Less Often'), description: '−2', value: -2 },
    { label: l10n.t('More Often'), description: '+2', value: 2 },
    { label: l10n.t('Almost Always'), description: '+100', value: mostBias },
    { label: l10n.t('As the Model Likes'), description: '0', value: 0 },
    { label: l10n.t('Another Value…'), description: '', value: undefined },
  ];
  const chosen = await window.showQuickPick(choices, {
    title,
    placeHolder: l10n.t('How often?'),
    ignoreFocusOut: true,
  });
  if (chosen === undefined || chosen.value !== undefined) return chosen?.value;
  const written = await window.showInputBox({
    title,
    prompt: l10n.t('A number from {0} to {1}', leastBias, mostBias),
    ignoreFocusOut: true,
    validateInput: (text) =>
      parseBias(text) === undefined ? l10n.t('A number from {0} to {1}', leastBias, mostBias) : undefined,
  });
  return written === undefined ? undefined : parseBias(written);
}
