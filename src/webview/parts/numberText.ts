/** A number as it is written in the page's language. */
export function numberText(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(document.documentElement.lang || undefined, options).format(value);
}
