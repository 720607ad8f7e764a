import { isComment } from '../../syntax/textLines.ts';
import { isBlank, lineIndexOf, normalised } from './lines/lineText.ts';

const leader = String.raw`(?:\/\/|#|--|\/\*+|<!--|\{\/\*|;+|%|\(\*|\*|"""|"|')`;
const dotted = new RegExp(String.raw`^\s*${leader}+\s*[\[(<—–-]*\s*(?:\.\s?\.\s?\.|…)`);
const bare = /^\s*(?:\.{3,4}|…|\[\s*(?:\.{3}|…)[^\]]*\]|\(\s*(?:\.{3}|…)[^)]*\))\s*[,;]?\s*$/;
/** The marker that Parley asks for, and how models vary it. */
const marker = /\bexisting[ _-]code\b/i;

/** Words of remarks that stand for lines which are left out, in the languages that models answer in; they tell nothing alone. */
const leftOut =
  /\b(?:unchanged|existing|remain(?:s|ing|der)?|omitted|(?:the )?rest|same as (?:before|above)|as (?:before|is)|no changes?|etc|previous(?:ly)?|unver[äa]ndert|bestehend|vorhanden|[üu]brig|restlich|weiter(?:e|en) |gleich|inchang|existant|reste|identique|autres|sin cambios|sin modificar|existente|resto|dem[áa]s|igual que|mantid|inalterad|restante|outr[oa]s|invariat|rimanent|esistente|ongewijzigd|overige|bestaande|bez zmian|pozosta|beze zm[ěe]n|değişme|ayn[ıi])|без измен|остальн|существующ|не меня|прежн|未变|不变|未修改|保持|其余|其他|现有|原有|省略|已有|変更なし|変更な|既存|残り|そのまま|以下略|同じ|변경 ?없|나머지|기존|동일|그대로|생략|بدون تغيير|بقية|الباقي/iu;
/** The longest remark that stands for lines, in characters. */
const longestRemark = 200;
const toDo = /\b(?:TODO|FIXME|XXX)\b/;

/** A remark that is nothing but such words: of code that stays, or that nothing changes. */
const plainRest =
  /^(?:(?:the|all|keep) )*(?:rest|remainder|remaining|other|existing|same|unchanged|previous)\b.{0,30}\b(?:code|methods?|functions?|class(?:es)?|body|file|implementation|logic|imports?|fields|columns|rules?|styles?|tests?|routes?|handlers?|members?|propert(?:y|ies)|getters?|setters?|constructors?|template|script|component|query|bloc?k|section|entries)\b|^(?:(?:exactly |all )?(?:unchanged|the same)|same as (?:before|above)|no changes?(?: here)?|existing)\W*$|\bfor (?:brevity|clarity)\W*$|^(?:[\w$.#]+\(\)(?:,| and)? )+(?:stays?|remains?|are|is) (?:unchanged|the same|as (?:before|is))\W*$/i;

/** Whether a line stands for lines that a model left out, whatever the file has: `// ... existing code ...`, `…`. */
export function isElision(line: string): boolean {
  if (line.length > longestRemark) return false;
  if (bare.test(line)) return true;
  if (!isComment(line) || toDo.test(line)) return false;
  const words = line
    .replace(/^[\s/*#<!;%({-]+/, '')
    .replace(/[\s*/>})-]+$/, '')
    .trim();
  return dotted.test(line) || marker.test(line) || plainRest.test(words);
}

/** Whether a remark speaks of lines that are left out; where nothing is, it may speak of what the code does. */
export function speaksOfRest(line: string): boolean {
  return line.length <= longestRemark && isComment(line) && !toDo.test(line) && (isElision(line) || leftOut.test(line));
}

export function isToDo(line: string): boolean {
  return toDo.test(line);
}

/** Which lines of a text stand for others, given the text that it abridges: a line that stands there, too, is code. */
export function findElisions(lines: readonly string[], original: readonly string[]): number[] {
  const { placesOf } = lineIndexOf(original);
  return lines.flatMap((line, at) => {
    if (!isElision(line) || isBody(lines, at, original)) return [];
    return placesOf(normalised(line)).length > 0 && !bare.test(line) ? [] : [at];
  });
}

/** Whether `...` is a body of Python's, in the file as well: `def close(self) -> None:` with nothing but `...` below it. */
function isBody(lines: readonly string[], at: number, original: readonly string[]): boolean {
  if (!bare.test(lines[at] ?? '')) return false;
  const before = lines.slice(0, at).findLast((line) => !isBlank(line));
  if (before === undefined || !/:\s*$/.test(before)) return false;
  const places = original.flatMap((line, row) => (normalised(line) === normalised(before) ? [row] : []));
  if (places.length === 0) return true;
  return places.some((place) => bare.test(original.slice(place + 1).find((line) => !isBlank(line)) ?? ''));
}
