import { l10n, workspace } from 'vscode';
import { priceText } from '../../../../editor/sentences/formatUnits.ts';
import { readSetting } from '../../../../editor/settings.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import type { Endpoint } from '../../../../service/endpoint.ts';
import type { Plan } from '../../../engine/engineApi.ts';
import { chunksText, coverageText, filesText, leftOutText, numberText, tokensText } from '../../shared/sentences.ts';
import type { IndexDocuments } from '../indexDocuments.ts';
import type { SearchIndex } from '../searchIndex.ts';
import type { UploadQuestion } from './uploadQuestion.ts';

/**
 * Shows what would be sent and asks. Promise to the user: nothing is sent before they saw what, and said yes, once for
 * each folder and this origin; and again where existing vectors have to be built, and billed, a second time. Where
 * all vectors are known already, only the questions would be sent.
 */
export async function isUploadAllowed(
  index: SearchIndex,
  endpoint: Endpoint,
  plan: Plan,
  question: UploadQuestion,
  documents: IndexDocuments,
): Promise<boolean> {
  const { consent } = index;
  const { baseUrl, model } = endpoint;
  const added = await index.newRoots(endpoint);
  if (isAgreed(consent, baseUrl, plan, added)) return true;
  const { pending } = plan;
  const { host } = new URL(baseUrl);
  const isAnew = plan.isAnew === true && pending.chunks > 0;
  const amount = l10n.t('{0} of {1}', chunksText(pending.chunks), filesText(pending.files));
  const asks = (): string => {
    if (pending.chunks === 0) return l10n.t('Send what you search for to {0}?', host);
    return isAnew
      ? l10n.t('Build the index anew, and send {0} to {1}?', amount, host)
      : l10n.t('Send {0} to {1}?', amount, host);
  };
  const price = priceOf(plan);
  index.setPhase({ kind: 'consent' });
  const isYes = await question.ask({
    question: asks(),
    detail: [
      foldersText(added),
      pending.chunks === 0 ? knownText(plan, host, model) : detailOf(plan, isAnew, host, model),
    ]
      .filter(Boolean)
      .join('\n\n'),
    summary: [amount, l10n.t('about {0}', tokensText(pending.tokens)), price].filter(Boolean).join(' · '),
    yes: isAnew ? l10n.t('Build Anew') : l10n.t('Index Now'),
    showDetails: () => documents.show('contents'),
  });
  if (!isYes) return false;
  await consent.give(baseUrl);
  if (plan.space !== undefined) await consent.giveAnew(baseUrl, plan.space);
  return true;
}

function isAgreed(consent: SearchIndex['consent'], baseUrl: string, plan: Plan, added: readonly string[]): boolean {
  if (plan.indexed.chunks === 0) return true;
  if (added.length > 0) return false;
  if (plan.isAnew !== true || plan.pending.chunks === 0 || plan.space === undefined) return true;
  return consent.isGivenAnew(baseUrl, plan.space);
}

/** Which folders the question is about, in a workspace of several. */
function foldersText(added: readonly string[]): string {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length < 2 || added.length === 0) return '';
  const names = folders.filter(({ uri }) => added.includes(uri.fsPath)).map(({ name }) => plain(name));
  return names.length === folders.length
    ? l10n.t('Folders: {0}.', names.join(', '))
    : l10n.t('New here: {0}. You agreed to the other folders before.', names.join(', '));
}

function priceOf({ pending }: Plan): string | undefined {
  const price = priceText(pending.tokens / 1_000_000, readSetting('parley.embeddings.pricePerMillionTokens'));
  return price === undefined ? undefined : l10n.t('costs about {0}', price);
}

function knownText({ indexed }: Plan, host: string, model: string): string {
  const known =
    indexed.chunks === 1
      ? l10n.t('1 chunk of 1 file is known on this machine already: nothing of the workspace is sent now.')
      : l10n.t(
          '{0} of {1} are known on this machine already: nothing of the workspace is sent now.',
          chunksText(indexed.chunks),
          filesText(indexed.files),
        );
  const later = l10n.t(
    'Your questions go to {0}, where the model {1} turns them into vectors; so does what changes in the files.',
    host,
    plain(model),
  );
  return [known, later].join('\n\n');
}

function detailOf(plan: Plan, isAnew: boolean, host: string, model: string): string {
  const { pending, known, excluded } = plan;
  const leftOut = leftOutText(excluded);
  const price = priceText(pending.tokens / 1_000_000, readSetting('parley.embeddings.pricePerMillionTokens'));
  const sent =
    pending.tokens === 1
      ? l10n.t(
          'About 1 token goes to {0}, where the model {1} turns it into a vector. The index itself stays on this machine.',
          host,
          plain(model),
        )
      : l10n.t(
          'About {0} tokens go to {1}, where the model {2} turns them into vectors. The index itself stays on this machine.',
          numberText(pending.tokens),
          host,
          plain(model),
        );
  const budget = readSetting('parley.embeddings.dailyTokenBudget');
  return [
    isAnew
      ? l10n.t(
          'The embeddings in the index do not fit those that the service gives now, as after a change of the model. All are requested, and paid for, again; the old ones are kept.',
        )
      : '',
    sent,
    price === undefined ? '' : l10n.t('That costs about {0}, at the price in the settings.', price),
    budget > 0 && budget < pending.tokens
      ? l10n.t('The daily budget is {0}: the rest follows tomorrow.', tokensText(budget))
      : '',
    known > 0 ? l10n.t('Reuses cached embeddings of {0}.', chunksText(known)) : '',
    l10n.t('The index holds {0}.', coverageText(plan)),
    leftOut === ''
      ? l10n.t('Left out: what git ignores.')
      : l10n.t('Left out, besides what git ignores:\n{0}', leftOut),
  ]
    .filter(Boolean)
    .join('\n\n');
}
