/** Words that are common in questions and useless for finding code. */
const english =
  'a an and are as at be by can do does for from has have how i if in into is it its me my of on or our show that the them then there this to was we were what when where which who why will with you your code find function';
/** The same in languages whose words may be other ones in English, or names in code: they count where a question has two of them. */
const others: Readonly<Record<string, string>> = {
  german:
    'wo wie warum welche welcher welches was wer wird werden wurde ist sind hat der die das den dem des ein eine einen einer eines und oder nicht fur von vom im zum zur auf bei aus mit gibt es ich man kann funktion',
  french:
    'ou comment pourquoi quel quelle quels quelles est sont le la les des du de un une dans pour par que qui et fonction',
  spanish: 'donde como que cual por esta son el la los las del de un una se es en para y funcion',
  portuguese: 'onde como que qual por esta sao o os as do da dos das de um uma se em para e funcao',
  italian: 'dove come che quale perche sono il lo la i gli le del della dei di un una si e per funzione',
};
/** Languages with letters of their own. */
const cyrillic =
  'где как что чем кто почему зачем когда какой какая какие который и или а но не в во на с со к по из за от для до о об при это этот эта эти есть ли у я мы вы он она они так уже де як що чому коли який та і й в у з на до для функция функции функцию функций';
const greek =
  'που πως τι γιατι ποτε ποιος ποια ποιο και η το τα τον την του της των ο οι σε με για απο στο στη στην να ειναι';

const always = new Set(`${english} ${cyrillic} ${greek}`.split(' '));
const inTwos = Object.values(others).map((words) => new Set(words.split(' ')));
const leastOfOne = 2;

/** Tells which words of a question, in plain letters and lower case, are stop words. */
export function stopWordsIn(words: readonly string[]): (word: string) => boolean {
  const spoken = inTwos.filter((some) => words.filter((word) => some.has(word)).length >= leastOfOne);
  return (word) => always.has(word) || spoken.some((some) => some.has(word));
}

/** Phrases that ask for a place or a way, and endings that are polite, in scripts without blanks between words. */
const phrases = [
  '在哪里|在哪儿|在哪裡|哪里|哪裡|哪个|哪個|怎么样|怎么|怎麼|怎样|如何|为什么|為什麼|什么是|什麼是|什么|什麼|请问|吗(?=$|[^\\p{L}])|呢(?=$|[^\\p{L}])',
  'どこ(?:にあり|で|に|から|が)?|どうやって|どのように|どうして|なぜ|なに|何(?:を|が|の|で)|という(?=関数|メソッド|クラス|名)|(?:さ?れ|し)?てい(?:ます|る)か?(?=$|[^\\p{L}])|(?:さ?れ|し)?ますか?(?=$|[^\\p{L}])|ですか?(?=$|[^\\p{L}])|してください|ください|教えて',
  '어디(?:에서|서|에|로)?|어떻게|무엇(?:을|이)?|무슨|왜|하나요|되나요|됩니까|합니까|인가요|있나요|있습니까',
  'ที่ไหน|ตรงไหน|อย่างไร|ยังไง|ทำไม|อะไร|เมื่อไหร่|ได้ไหม|หรือไม่',
].join('|');
/** What stands behind a name of code to say what it is. */
const kinds = '(?<=[\\w$])\\s*(?:という)?(?:函数|函數|方法|类|類|变量|関数|メソッド|クラス|変数|함수|메서드|클래스)';
const kindsBefore = '(?:ฟังก์ชัน|ฟังก์ชั่น|函数|関数|함수)\\s*(?=[A-Za-z_$])';
const asking = new RegExp(`${phrases}|${kindsBefore}|${kinds}`, 'gu');

/** A question without such phrases; blanks stand in their places. */
export function withoutAsking(question: string): string {
  return question.replace(asking, ' ');
}
