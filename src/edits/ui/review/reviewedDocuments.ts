import { type Disposable, workspace } from 'vscode';
import { isDeleted, type ReviewedFile } from '../../review/reviewedFile.ts';
import { renamed } from './renamed.ts';
import { type ProposedFile, type ReviewedDocument, reviewDocument } from './reviewedDocument.ts';

/** The documents that are under review, one a file, which are followed to the names that their files have later. */
export interface ReviewedDocuments extends Disposable {
  /** The document under review, by its address. */
  find(uri: string): ReviewedDocument | undefined;
  /** The document of a file; where there is none yet, one that begins with a review. */
  get(file: ProposedFile, review: ReviewedFile): ReviewedDocument;
  /** Lets documents go that are not needed any more. */
  release(isNeeded: (document: ReviewedDocument) => boolean): void;
}

/**
 * @param titleOf the title of a set, by its id
 * @param onChange called when anything of a document under review is another now
 */
export function createReviewedDocuments(titleOf: (set: string) => string, onChange: () => void): ReviewedDocuments {
  let documents: readonly ReviewedDocument[] = [];
  const find = (uri: string) => documents.find(({ uri: own, file }) => own.toString() === uri && !isDeleted(file));

  const following = workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files)
      for (const document of documents) document.moveTo(renamed(document.uri, oldUri, newUri) ?? document.uri);
    onChange();
  });

  return {
    find,
    get({ uri, isNew }, review) {
      const known = find(uri.toString());
      if (known !== undefined) return known;
      const document = reviewDocument({ uri, isNew, review }, titleOf);
      document.onDidChange(onChange);
      documents = [...documents, document];
      return document;
    },
    release(isNeeded) {
      for (const document of documents) if (!isNeeded(document)) document.dispose();
      documents = documents.filter(isNeeded);
    },
    dispose() {
      for (const document of documents) document.dispose();
      following.dispose();
    },
  };
}
