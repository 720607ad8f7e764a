import { createNearestSearch } from '../../vectors/nearest.ts';
import { openVectorFiles } from '../../vectors/vectorFiles.ts';
import { spacePath } from '../schema/vectorSchema.ts';
import type { OpenSpace, VectorRepair } from './vectorRepair.ts';

/** The open files of the spaces. */
export interface SpaceFiles {
  /** The files of a space, opened on first use. */
  open(space: number, dimensions: number, count: number): OpenSpace;
  close(): void;
}

/** @param directory of the index. @param repair checks the files when they are opened */
export function createSpaceFiles(directory: string, repair: VectorRepair, canWrite: boolean): SpaceFiles {
  const opened = new Map<number, OpenSpace>();
  return {
    open(space, dimensions, count) {
      const known = opened.get(space);
      if (known !== undefined) return known;
      const files = openVectorFiles(spacePath(directory, space), dimensions, canWrite);
      const found = { files, nearest: createNearestSearch(files) };
      opened.set(space, found);
      repair.inspect(space, found, count);
      return found;
    },
    close() {
      repair.stop();
      for (const { files } of opened.values()) files.close();
      opened.clear();
    },
  };
}
