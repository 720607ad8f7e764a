/**
 * The tool that a model means by a name. Some write the namespace that the tools have in their template before it, and the number of the
 * call or a mark of the template behind it (`functions.read_file:0`, `read_file<|channel|>commentary`), or take other letters for
 * capitals. Undefined where none has the name, or more than one.
 */
export function meantTool<T extends { readonly name: string }>(written: string, tools: readonly T[]): T | undefined {
  const bare = written
    .trim()
    .replace(/<[|/][\s\S]*$/, '')
    .replace(/^functions\.|:\d{1,4}$/g, '')
    .trim();
  const exact = tools.find(({ name }) => name === written) ?? tools.find(({ name }) => name === bare);
  if (exact !== undefined) return exact;
  const alike = tools.filter(({ name }) => name.toLowerCase() === bare.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}
