/** The index in a second window on the folder: VS Code gives it another storage, in which there is none. */
import assert from 'node:assert/strict';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, entry, indexAll, untilShown } from '../support/codeIndex.ts';
import { notification, screenshot, secondWindow, texts } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const second = { window: 'second' } as const;

describe('The index in two windows', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
    await connectTo(service);
    await deleteIndex();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot('second-window-failed', second);
  });
  after(async () => {
    await secondWindow.close();
    await deleteIndex();
    await notification.clear();
    await disconnect();
    await service.close();
  });

  it('is whole in the second by itself, and nothing is sent for it', async () => {
    const { files } = await indexAll();
    await untilShown(`${files} files`);
    const asked = (): number => service.requests.filter(({ path }) => path.endsWith('/embeddings')).length;
    const before = asked();
    await secondWindow.open();
    await until('it is whole there', async () => (await texts(entry, second)).join().includes(`${files} files`));
    await screenshot('index-second-window', second);
    assert.equal(asked(), before);
  });
});
