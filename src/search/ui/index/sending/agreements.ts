/** That the files of a folder, by its address, may be sent to a service, by its origin. */
export type Agreement = readonly [origin: string, folder: string];

/** The most that are kept; the oldest go first. */
const mostAgreements = 5_000;

/** The agreements as they are stored; what is none is passed over. */
export function readAgreements(stored: unknown): Agreement[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((each: unknown): Agreement[] => {
    const [origin, folder, ...rest]: unknown[] = Array.isArray(each) ? each : [];
    return typeof origin === 'string' && typeof folder === 'string' && rest.length === 0 ? [[origin, folder]] : [];
  });
}

/** What is stored once these are agreed to as well. */
export function withAgreements(stored: unknown, added: readonly Agreement[]): Agreement[] {
  const all = new Map([...readAgreements(stored), ...added].map((each) => [JSON.stringify(each), each]));
  return [...all.values()].slice(-mostAgreements);
}

/** What is stored once nothing of these folders may be sent to anybody. */
export function withoutFolders(stored: unknown, folders: readonly string[]): Agreement[] {
  return readAgreements(stored).filter(([, folder]) => !folders.includes(folder));
}

/** Those of the folders that may be sent to an origin. */
export function agreedFolders(stored: unknown, to: string, folders: readonly string[]): string[] {
  const agreed = new Set(readAgreements(stored).flatMap(([origin, folder]) => (origin === to ? [folder] : [])));
  return folders.filter((folder) => agreed.has(folder));
}

/**
 * Agreements of version 0.13 and older, which were kept with the workspace: each a text of the origin and all folders that were open.
 * @returns them, and the texts that mean something else: with the number of a space at their end, that it may be built anew
 */
export function readOlder(texts: readonly string[]): { agreements: Agreement[]; others: string[] } {
  const agreements: Agreement[] = [];
  const others: string[] = [];
  for (const text of texts) {
    const [origin, ...folders] = asTexts(text) ?? [];
    if (origin === undefined) others.push(text);
    else agreements.push(...folders.map((folder): Agreement => [origin, folder]));
  }
  return { agreements, others };
}

function asTexts(json: string): string[] | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return Array.isArray(read) && read.every((each) => typeof each === 'string') ? read : undefined;
  } catch {
    return undefined;
  }
}
