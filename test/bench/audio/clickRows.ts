import { measureInWindow } from '../measureInWindow.ts';
import { type Row, toRow } from '../row.ts';

/** From the click in the explorer to the first byte at the service, in a real VS Code. */
export async function clickRows(): Promise<Row[]> {
  const figures = await measureInWindow('benchAudio');
  return ['wav', 'mp3'].map((format) =>
    toRow({
      bench: 'audio',
      metric: `20 MB of ${format}: from the click in the explorer to the first byte at the service, median`,
      value: figures[format] ?? Number.NaN,
      unit: 'ms',
      goal: { of: 'value', is: '<=', bound: 300 },
    }),
  );
}
