import type { Disposable } from 'vscode';
import type { Services } from '../../editor/services.ts';
import type { ScmFiles } from '../changes.ts';
import { registerFindings } from './findings/findingsFeature.ts';

/** What this room is given by other features. */
export interface ScmParts {
  readonly files: ScmFiles;
}

/** What models do with changes in git: they review them. */
export function registerScm(services: Services, { files }: ScmParts): Disposable {
  return registerFindings(services, { files });
}
