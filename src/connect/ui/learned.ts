import { env, l10n } from 'vscode';
import type { Notices } from '../../editor/notices.ts';
import { adjustmentText } from '../../editor/sentences/adjustmentText.ts';
import { formatSize } from '../../editor/sentences/formatUnits.ts';
import { window } from '../../editor/text/window.ts';
import type { FieldMemory, FormRecord, LearnedOfModel } from '../../service/compat/fieldMemory.ts';

/** Lists what was learned of each model, what was learned last on top, and forgets what the user checks. */
export async function showLearned(memory: FieldMemory, notices: Notices): Promise<void> {
  const items = memory
    .all()
    .map((learned) => ({
      label: learned.model || l10n.t('(no model)'),
      description: learned.origin,
      detail: sentencesOf(learned).join(' '),
      learned,
    }))
    .filter(({ detail }) => detail !== '')
    .reverse();
  if (items.length === 0) return void notices.info(l10n.t('Nothing was learned of any model yet.'));
  const chosen = await window.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('What Was Learned of Models'),
    placeHolder: l10n.t('Check what is to be forgotten'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === undefined || chosen.length === 0) return;
  for (const { learned } of chosen) memory.forgetModel(learned);
  void notices.info(
    chosen.length === 1
      ? l10n.t('What was learned of 1 model is forgotten.')
      : l10n.t('What was learned of {0} models is forgotten.', chosen.length),
  );
}

function sentencesOf({
  adjustments,
  batchSize,
  audioServer,
  transcriptions,
  uploadLimit,
  forms = {},
}: LearnedOfModel): string[] {
  const write = (value: number): string => value.toLocaleString(env.language);
  return [
    ...Object.entries(forms).map(([form, record]) => formText(form, record)),
    ...adjustments.map(adjustmentText),
    ...(batchSize === undefined ? [] : [l10n.t('It takes {0} texts at once.', write(batchSize.taken))]),
    ...(audioServer === undefined ? [] : [l10n.t('It answers as {0} does.', audioServer)]),
    ...(transcriptions === undefined
      ? []
      : [transcriptions ? l10n.t('It transcribes recordings, too.') : l10n.t('It has no audio/transcriptions.')]),
    ...(uploadLimit === undefined ? [] : [l10n.t('It takes recordings of up to {0}.', formatSize(uploadLimit))]),
  ];
}

/** What a model did with a form in which edits are asked for. */
function formText(form: string, { worked, failed, isRefused }: FormRecord): string {
  const names: Readonly<Record<string, string>> = {
    tool: l10n.t('Edits as calls of a tool'),
    blocks: l10n.t('Edits as SEARCH/REPLACE blocks'),
    whole: l10n.t('Edits as the whole selection'),
  };
  const name = names[form] ?? form;
  return isRefused
    ? l10n.t('{0}: refused by the service.', name)
    : l10n.t('{0}: worked {1}, did not {2}.', name, worked, failed);
}
