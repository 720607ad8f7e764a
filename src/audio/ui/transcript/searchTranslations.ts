import { l10n, type QuickPickItem, type Uri } from 'vscode';
import type { FoundTranslation, TranslationSearch } from '../../../editor/files/translationSearch.ts';
import type { Notices } from '../../../editor/notices.ts';
import { chosenItem, untilAnswered } from '../../../editor/quickInput.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import type { Journal } from '../../transcript/journal.ts';
import { searchTranscripts, type TranscriptHit } from '../../transcript/searchTranscripts.ts';
import { formatTime } from '../../transcript/timestamps.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import type { TranscriptPanels } from './panel/transcriptPanels.ts';

interface HitItem extends QuickPickItem {
  readonly hit: TranscriptHit;
}

/** The most lines that are listed. */
const mostHits = 200;

/** Finds words in all translations as they are typed, and opens the page at the line that is chosen. */
export async function searchTranslations(journal: Journal, panels: TranscriptPanels, notices: Notices): Promise<void> {
  const transcripts = await journal.list();
  if (transcripts.length === 0) return void notices.info(l10n.t('No recording is translated yet.'));
  const quickPick = window.createQuickPick<HitItem>();
  quickPick.title = plain(l10n.t('Search Translations'));
  quickPick.placeholder = plain(l10n.t('Words that were said, in any order'));
  quickPick.onDidChangeValue((value) => {
    quickPick.items = plainItems(searchTranscripts(transcripts, value, mostHits).map(toItem));
  });
  const hit = await untilAnswered(quickPick, () => chosenItem(quickPick)?.hit);
  if (hit !== undefined) panels.showAt(hit.transcript, hit.transcript.path, hit.segment);
}

function toItem(hit: TranscriptHit): HitItem {
  const { text } = hit;
  // VS Code would leave out lines in which the words stand in another order.
  return { label: text, description: placeOf(hit), alwaysShow: true, hit };
}

/** The recording, and where in it. */
function placeOf({ transcript, segment }: TranscriptHit): string {
  const start = segment === undefined ? undefined : transcript.segments?.[segment]?.start;
  return start === undefined ? transcript.fileName : `${transcript.fileName} · ${formatTime(start)}`;
}

/** Translations that are asked for again within this time, in milliseconds, are not read again: somebody types. */
const freshMs = 3_000;
const mostOffered = 50;

/** Finds translations for what may be attached to a question. */
export function createTranslationSearch(
  journal: Pick<Journal, 'list'>,
  uriOf: (transcript: Transcript) => Uri,
): TranslationSearch {
  let read: { readonly at: number; readonly all: Promise<Transcript[]> } | undefined;
  const toFound = (hit: TranscriptHit): FoundTranslation => ({
    line: hit.text,
    place: placeOf(hit),
    document: uriOf(hit.transcript),
  });
  return {
    async find(text) {
      if (read === undefined || Date.now() - read.at > freshMs) read = { at: Date.now(), all: journal.list() };
      const all = await read.all;
      const named = all.filter(({ fileName }) =>
        fileName.toLowerCase().replace(/\s/g, '').includes(text.toLowerCase()),
      );
      const byName = named.map((transcript) => ({
        line: transcript.fileName,
        place: transcript.text.replace(/\s+/g, ' ').slice(0, 80),
        document: uriOf(transcript),
      }));
      return [...byName, ...searchTranscripts(all, text, mostOffered, true).map(toFound)].slice(0, mostOffered);
    },
  };
}
