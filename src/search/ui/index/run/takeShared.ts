import { rm } from 'node:fs/promises';
import { l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../../../base/errors.ts';
import { describeForLog } from '../../../../editor/log.ts';
import type { Report } from '../../../../editor/progress.ts';
import { formatSize } from '../../../../editor/sentences/formatUnits.ts';
import type { Services } from '../../../../editor/services.ts';
import { readSetting } from '../../../../editor/settings.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import { window } from '../../../../editor/text/window.ts';
import type { Endpoint } from '../../../../service/endpoint.ts';
import { fetchSharedFile, isAddress } from '../../../team/sharedFile/fetchSharedFile.ts';
import { sharedPlaces } from '../../../team/sharedFile/sharedPlaces.ts';
import type { ImportRequest, ImportResult } from '../../../team/sharedFile/shareVectors.ts';
import { chunksText, sentenceOf } from '../../shared/sentences.ts';
import { indexScope } from '../indexScope.ts';
import type { SearchIndex } from '../searchIndex.ts';
import type { FollowedWork } from './followedWork.ts';

/** What a run takes shared files with. */
interface TakingParts {
  readonly services: Pick<Services, 'log' | 'notices' | 'client'>;
  readonly index: SearchIndex;
  readonly work: FollowedWork;
}

/** Fewer texts without a vector are sooner sent than a file with all of them is downloaded. */
const worthDownload = 200;

/**
 * Takes the vectors that the texts lack from shared files. A file of the setting that cannot be taken is told of, and the run goes on: what
 * would be sent is shown before it is.
 * @param pending texts without a vector
 * @param given a file that somebody has chosen: a fault of it ends the run
 * @returns what was taken, in all; undefined where no file was looked at
 */
export async function takeShared(
  parts: TakingParts,
  endpoint: Endpoint,
  pending: number,
  given?: string,
): Promise<ImportResult | undefined> {
  const places =
    given === undefined ? sharedPlaces(readSetting('parley.search.sharedFile'), indexScope().roots) : [given];
  let all: ImportResult | undefined;
  for (const place of places) {
    const left = all?.without ?? pending;
    if (left === 0 || (given === undefined && isAddress(place) && left < worthDownload)) continue;
    try {
      const result = await takeFrom(parts, endpoint, place);
      if (result !== undefined) all = { ...result, taken: result.taken + (all?.taken ?? 0) };
    } catch (error) {
      if (given !== undefined || isCancelled(error)) throw error;
      const { log, notices } = parts.services;
      log.warn(describeForLog(error));
      void notices.warn(sentenceOf(error), {
        title: l10n.t('Open Setting'),
        command: 'workbench.action.openSettings',
        arguments: ['@id:parley.search.sharedFile'],
      });
    }
  }
  return all;
}

async function takeFrom(
  { services, index, work }: TakingParts,
  endpoint: Endpoint,
  place: string,
): Promise<ImportResult | undefined> {
  return work.follow(
    l10n.t('Parley: Taking Shared Vectors'),
    async ({ signal = new AbortController().signal }, report) => {
      const path = isAddress(place)
        ? await fetchSharedFile(services.client.transport, place, index.paths.directory, signal, (done, of) =>
            report(l10n.t('Downloading: {0} of {1}', formatSize(done), formatSize(of)), undefined),
          )
        : place;
      const publicKey = readSetting('parley.search.sharedFileKey').trim();
      const request: ImportRequest = {
        ...{ path, source: index.sending.forQuestions(endpoint) },
        ...(publicKey === '' ? {} : { publicKey }),
      };
      try {
        return await take(request);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.hint !== 'service' || error.kind !== 'shared-file') throw error;
        return (await isSame(error)) ? await take({ ...request, isOfAnyService: true }) : undefined;
      } finally {
        if (path !== place) await rm(path, { force: true });
      }

      function take(what: ImportRequest): Promise<ImportResult> {
        return index.client.importVectors(what, { signal, onEvent: ({ taken, of }) => tell(report, taken, of) });
      }
    },
  );
}

function tell(report: Report, taken: number, of: number): void {
  report(l10n.t('Taken: {0} of {1}', taken, chunksText(of)), of === 0 ? 1 : taken / of);
}

/** A model of one name may be another one at another service: only the user knows. */
async function isSame(error: ServiceError): Promise<boolean> {
  const yes = l10n.t('Take Them');
  const chosen = await window.showWarningMessage(
    l10n.t('The vectors of the shared file are of another service.'),
    {
      modal: true,
      detail: l10n.t(
        '{0} gave them, for a model of the same name. Where it is another model, the search finds the wrong code.',
        plain(error.message, { length: 200 }),
      ),
    },
    yes,
  );
  return chosen === yes;
}
