const decimal = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?$/i;

/**
 * A number as a person writes it: with a point or a comma, with a minus sign of typography, in wide digits. Undefined for what is none.
 * @param isInteger whether it has to be whole: `4,000` may then be four thousand or four, and is none
 */
export function readDecimal(text: string, isInteger = false): number | undefined {
  const written = text
    .normalize('NFKC')
    .trim()
    .replace(/^[\u2212\u2013]/, '-');
  if (!decimal.test(written) || (isInteger && /[.,]\d{3}$/.test(written))) return undefined;
  const value = Number(written.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
