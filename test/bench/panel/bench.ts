import { installPeers } from '../peers.ts';
import type { Row } from '../row.ts';
import { measureAttacks } from './attacks.ts';
import { measureBundle } from './bundle.ts';
import { measureColumns } from './columns.ts';
import { measureConversationSearch } from './conversationSearch.ts';
import { measureOpening } from './opening.ts';
import { measureRequestDocument } from './requestDocument.ts';
import { measureRequests } from './requests.ts';
import { measureStop } from './stopping.ts';
import { measureStreaming } from './streaming.ts';
import { measureTranscript } from './transcript.ts';
import { openWindows } from './windows.ts';

/** The panels in a real browser: answers as they stream beside peers' ways of drawing them, long conversations and transcripts, attacks. */
export async function benchPanel(tell: (text: string) => void): Promise<Row[]> {
  await installPeers();
  const windows = await openWindows();
  try {
    return [
      ...(await measureStreaming(windows, tell)),
      ...(await measureOpening(windows, tell)),
      ...(await measureRequests(windows, tell)),
      ...(await measureRequestDocument(tell)),
      ...(await measureColumns(windows, tell)),
      ...(await measureStop(windows, tell)),
      ...(await measureTranscript(windows, tell)),
      ...(await measureAttacks(windows, tell)),
      ...(await measureConversationSearch(tell)),
      ...(await measureBundle()),
    ];
  } finally {
    await windows.close();
  }
}
