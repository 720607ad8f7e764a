import type { SourceFile } from '../../sourceFile.ts';
import type { Section } from './findSections.ts';

/** A part of a file that is read as if it were all of it. The file itself stays open when the part is closed. */
export function sectionFile(file: SourceFile, { from, to }: Pick<Section, 'from' | 'to'>): SourceFile {
  const size = to - from;
  return {
    fileName: file.fileName,
    size,
    read: (at, length, into) => file.read(from + at, Math.max(0, Math.min(length, size - at)), into),
    close: async () => {},
  };
}
