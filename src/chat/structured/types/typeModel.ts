/** A type, as TypeScript and zod have it, whatever it was made from. */
export type TypeModel =
  | { readonly kind: 'any' | 'never' | 'boolean' | 'null' }
  | { readonly kind: 'string'; readonly checks?: TextChecks | undefined }
  | { readonly kind: 'number'; readonly checks?: NumberChecks | undefined }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | {
      readonly kind: 'array';
      readonly item: TypeModel;
      readonly least?: number | undefined;
      readonly most?: number | undefined;
    }
  | { readonly kind: 'tuple'; readonly items: readonly TypeModel[]; readonly rest?: TypeModel | undefined }
  | {
      readonly kind: 'object';
      readonly members: readonly MemberModel[];
      /** Of members that are not named; absent where any may be there. */
      readonly others?: TypeModel | undefined;
    }
  | { readonly kind: 'union' | 'both'; readonly of: readonly TypeModel[] }
  | { readonly kind: 'named'; readonly name: string };

export interface MemberModel {
  readonly name: string;
  readonly type: TypeModel;
  readonly isRequired: boolean;
  readonly comment?: string | undefined;
}

/** What zod can check of a text besides that it is one. */
export interface TextChecks {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
}

export interface NumberChecks {
  readonly isInteger?: boolean | undefined;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly multipleOf?: number | undefined;
}

/** Types with names, in the order in which they were met; the last one is that of the answer. */
export interface NamedTypes {
  readonly types: readonly { readonly name: string; readonly type: TypeModel; readonly comment?: string | undefined }[];
  /** Names of types that are used before they are there. */
  readonly lateNames: ReadonlySet<string>;
}

/** A union without what is in it twice. */
export function unionOf(types: readonly TypeModel[]): TypeModel {
  const all = types.flatMap((type) => (type.kind === 'union' ? type.of : [type]));
  if (all.some(({ kind }) => kind === 'any')) return { kind: 'any' };
  const distinct = new Map(all.filter(({ kind }) => kind !== 'never').map((type) => [JSON.stringify(type), type]));
  const of = [...distinct.values()];
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : of.length === 0 ? { kind: 'never' } : { kind: 'union', of };
}

const reserved = new Set(
  `any as async await boolean break case catch class const continue debugger default delete do else enum export extends false finally
   for from function if implements import in instanceof interface let never new null number object package private protected public
   return static string super switch symbol this throw true try type typeof undefined unknown var void while with yield z
   Array Boolean Date Infinity Map NaN Number Object Promise Record Set String Symbol`.split(/\s+/),
);

/** Some letters have capitals of several: those stay. */
function upperCase(letter: string): string {
  const capital = letter.toUpperCase();
  return Array.from(capital).length === 1 ? capital : letter;
}

/** A name for a type, from any text in any language: `order-line` gives `OrderLine`. */
export function typeName(text: string, taken: ReadonlySet<string> = new Set()): string {
  const words =
    text
      .slice(0, 200)
      .normalize('NFC')
      .match(/(?:(?!_)\p{ID_Continue})+/gu) ?? [];
  const letters = Array.from(words.map((word) => word.replace(/^\p{Ll}/u, upperCase)).join(''));
  const joined = letters.slice(0, 60).join('');
  const base = joined === '' ? 'Answer' : /^\p{ID_Start}/u.test(joined) ? joined : `Type${joined}`;
  const free = reserved.has(base) ? `${base}Type` : base;
  let name = free;
  for (let count = 2; taken.has(name); count++) name = `${free}${count}`;
  return name;
}
