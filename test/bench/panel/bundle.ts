import { build } from 'esbuild';
import { root } from '../../host/paths.ts';
import { type Row, toRow } from '../row.ts';

/** The size of the panel's own script, as it is packaged. What it loads when it is first needed is not in it. */
export async function measureBundle(): Promise<Row[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/chat/main.ts'],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    minify: true,
    mainFields: ['browser', 'module', 'main'],
  });
  const value = (outputFiles[0]?.contents.length ?? Number.NaN) / 1000;
  return [
    toRow({
      bench: 'panel',
      metric: 'Bundle, minified',
      value,
      unit: 'kB',
      goal: { of: 'value', is: '<=', bound: 300 },
    }),
  ];
}
