/** `meta-llama/Llama-3.3-70B:free` is version `free` of the family `Llama-3.3-70B`; a date at the end is a version, too. */
export function familyAndVersion(model: string): { family: string; version: string } {
  const name = model.slice(model.lastIndexOf('/') + 1) || model;
  const [, family, tag, date] = /^(.+?)(?::(.+)|-(\d{4}-\d{2}-\d{2}|\d{8}))?$/s.exec(name) ?? [];
  return { family: family ?? name, version: tag ?? date ?? 'latest' };
}

/**
 * Unique for an address and a model. VS Code's editor of language models draws it as trusted Markdown, so characters that could be
 * more than a letter there are percent-encoded.
 */
export function modelIdentifier(baseUrl: string, model: string): string {
  const escaped = model.replace(/[^\w./:@+~-]/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
  return `${baseUrl}#${escaped}`;
}
