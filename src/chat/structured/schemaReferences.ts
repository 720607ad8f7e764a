import { isJsonObject } from '../../base/jsonText.ts';

/** What a reference of a schema leads to. */
export type Referred =
  | { readonly schema: unknown }
  /** In another document, which is never fetched. */
  | { readonly problem: 'remote' }
  /** Nowhere. */
  | { readonly problem: 'lost' };

/** Finds what the references within one schema lead to. */
export type FindReferred = (reference: string) => Referred;

/** The most parts of a schema that are looked at for their names. */
const mostParts = 50_000;

/** @param root of a schema that was read from JSON */
export function createReferences(root: unknown): FindReferred {
  let named: ReadonlyMap<string, unknown> | undefined;
  const known = new Map<string, Referred>();

  function find(reference: string): Referred {
    const [address = '', fragment = ''] = reference.split('#', 2);
    named ??= namesIn(root);
    const whole = URL.parse(address, baseOf(root))?.href ?? '';
    const from = address === '' ? root : (named.get(address) ?? named.get(`${address}#`) ?? named.get(whole));
    if (from === undefined) return { problem: 'remote' };
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchored = named.get(`#${fragment}`);
      return anchored === undefined ? { problem: 'lost' } : { schema: anchored };
    }
    const found = followPointer(from, fragment);
    return found === undefined ? { problem: 'lost' } : { schema: found };
  }

  return (reference) => {
    const before = known.get(reference);
    if (before !== undefined) return before;
    const found = find(reference);
    known.set(reference, found);
    return found;
  };
}

/** Addresses in other documents that a schema refers to. */
export function remoteReferences(root: unknown): string[] {
  const find = createReferences(root);
  const found = new Set<string>();
  forEachPart(root, (part) => {
    const reference = part['$ref'];
    const target = typeof reference === 'string' ? find(reference) : undefined;
    if (target !== undefined && 'problem' in target && target.problem === 'remote') found.add(String(reference));
  });
  return [...found];
}

/** A JSON pointer (RFC 6901) as a fragment has it. */
function followPointer(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = unescapePart(part);
    if ((!isJsonObject(at) && !Array.isArray(at)) || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function unescapePart(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // What is no percent-encoding stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The address of a schema, from which those of its parts may be told. */
function baseOf(root: unknown): string | undefined {
  const id = isJsonObject(root) ? (root['$id'] ?? root['id']) : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Parts of a schema by their addresses, as they are written and in full, and by their anchors with `#` before. */
function namesIn(root: unknown): Map<string, unknown> {
  const names = new Map<string, unknown>();
  const base = baseOf(root);
  forEachPart(root, (part) => {
    for (const id of [part['$id'], part['id']]) {
      if (typeof id !== 'string' || id === '') continue;
      names.set(id, part);
      const whole = id.startsWith('#') ? undefined : URL.parse(id, base)?.href;
      if (whole !== undefined && !names.has(whole)) names.set(whole, part);
    }
    for (const anchor of [part['$anchor'], part['$dynamicAnchor']])
      if (typeof anchor === 'string') names.set(`#${anchor}`, part);
    const id = part['$id'] ?? part['id'];
    // Older drafts name a part by `"$id": "#name"`.
    if (typeof id === 'string' && id.startsWith('#')) names.set(id, part);
  });
  return names;
}

function forEachPart(root: unknown, look: (part: Record<string, unknown>) => void): void {
  const open: unknown[] = [root];
  let left = mostParts;
  for (let part = open.pop(); part !== undefined && left > 0; part = open.pop(), left--) {
    if (isJsonObject(part)) look(part);
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) open.push(inner);
  }
}
