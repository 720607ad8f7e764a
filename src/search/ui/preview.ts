import { l10n, window } from 'vscode';
import { readSetting } from '../../editor/settings.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import type { Plan, VectorSource } from '../protocol.ts';
import { contentsText } from './contentsText.ts';
import type { IndexDocuments } from './indexDocuments.ts';
import type { SearchIndex } from './searchIndex.ts';
import { chunksText, coverageText, filesText, leftOutText, numberText, priceText } from './sentences.ts';

/**
 * Shows what would be sent and asks. Promise to the user: nothing is sent before they saw what, and said yes, once for these
 * folders and this origin. Where all vectors are known already, only what they search for would be sent.
 */
export async function isAllowed(
  index: SearchIndex,
  { baseUrl, model }: Endpoint,
  source: VectorSource,
  plan: Plan,
  documents: IndexDocuments,
): Promise<boolean> {
  const { pending, indexed } = plan;
  if (indexed.chunks === 0 || index.consent.isGiven(baseUrl)) return true;
  const { host } = new URL(baseUrl);
  const question =
    pending.chunks === 0
      ? l10n.t('Send what you search for to {0}?', host)
      : l10n.t('Send {0} of {1} to {2}?', chunksText(pending.chunks), filesText(pending.files), host);
  const detail = pending.chunks === 0 ? knownText(plan, host, model) : detailOf(plan, host, model);
  const indexNow = l10n.t('Index Now');
  const showDetails = l10n.t('Show Details');
  let chosen = await window.showInformationMessage(question, { modal: true, detail }, indexNow, showDetails);
  if (chosen === showDetails) {
    await documents.showText(l10n.t('Before Indexing.txt'), contentsText(await index.client.contents(source)));
    // Beside the document, which a modal question would hide.
    chosen = await window.showInformationMessage(question, indexNow, l10n.t('Cancel'));
  }
  if (chosen !== indexNow) return false;
  await index.consent.give(baseUrl);
  return true;
}

function knownText({ indexed }: Plan, host: string, model: string): string {
  const known = l10n.t(
    '{0} of {1} are known on this machine already: nothing of the workspace is sent now.',
    chunksText(indexed.chunks),
    filesText(indexed.files),
  );
  const later = l10n.t(
    'Your questions go to {0}, where the model {1} turns them into vectors; so does what changes in the files.',
    host,
    model,
  );
  return [known, later].join('\n\n');
}

function detailOf(plan: Plan, host: string, model: string): string {
  const { pending, indexed, excluded } = plan;
  const leftOut = leftOutText(excluded);
  const known = indexed.chunks - pending.chunks;
  const price = priceText(pending.tokens, readSetting('parley.embeddings.pricePerMillionTokens'));
  const tokens = numberText(pending.tokens);
  const sent = l10n.t(
    'About {0} tokens go to {1}, where the model {2} turns them into vectors. The index itself stays on this machine.',
    tokens,
    host,
    model,
  );
  const budget = readSetting('parley.embeddings.dailyTokenBudget');
  return [
    sent,
    price === undefined ? '' : l10n.t('That costs about {0}, at the price in the settings.', price),
    budget > 0 && budget < pending.tokens
      ? l10n.t('The daily budget is {0} tokens: the rest follows tomorrow.', numberText(budget))
      : '',
    known > 0 ? l10n.t('Already known: {0}.', chunksText(known)) : '',
    l10n.t('The index holds {0}.', coverageText(plan)),
    leftOut === ''
      ? l10n.t('Left out: what git ignores.')
      : l10n.t('Left out, besides what git ignores:\n{0}', leftOut),
  ]
    .filter(Boolean)
    .join('\n\n');
}
