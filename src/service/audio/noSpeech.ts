/**
 * What models write where nobody speaks: `[BLANK_AUDIO]`, `(silence)`, `♪`. They have it from subtitles for those who do not hear, so it
 * comes in the language of what is spoken as well.
 */

/** What is heard in place of speech, and what such words come with; a row for each language. */
const sounds: readonly (readonly [heard: string, beside: string])[] = [
  [
    // English
    'music musical song singing instrumental guitar piano violin drum drums bell bells applause applauding clapping cheering cheers laughter laughing ' +
      'laughs laugh chuckles chuckling giggles silence silent noise noises static beep beeping beeps buzzing humming hum ringing rings wind ' +
      'cough coughs coughing sigh sighs sighing breathing gasps sniffs sneezes footsteps typing knocking click clicking clicks birds chirping ' +
      'barking engine thunder rain water whistling whistles pause blank_audio audio_blank no_speech nospeech no_audio noaudio',
    'a the of and in on by with background soft softly upbeat dramatic gentle light quiet loud slow fast sad happy eerie tense suspenseful ' +
      'ominous calm cheerful electronic orchestral classical rock jazz ambient intro outro theme playing plays continues fades stops starts ' +
      'ends end of door phone telephone audience crowd dog keyboard mouse heavy heavily deep deeply throat man woman white long no speech blank ' +
      'audio sound sounds tone effect effects',
  ],
  [
    'musik klavier gitarre stille ruhe applaus beifall gelächter lachen lacht rauschen geräusch geräusche husten seufzen pause gesang',
    'leise laute sanfte ruhige dramatische fröhliche spannende im hintergrund hintergrundmusik titelmusik und spielt kein keine ton sprache',
  ], // German
  [
    'musique silence applaudissements rires rire bruit bruits bruitage toux soupir chanson sifflement',
    'de du des la le en fond douce calme générique dramatique joyeuse et',
  ], // French
  [
    'música musica silencio aplausos risas risa ruido ruidos tos suspiro canción',
    'de del la el en fondo suave alegre dramática tensa y suena sin audio voz sonido',
  ], // Spanish
  [
    'musica silenzio applausi risate risata rumore rumori tosse sospiro canzone',
    'di del la il in sottofondo dolce allegra drammatica e',
  ], // Italian
  [
    'música silêncio silencio aplausos risos risadas ruído ruídos barulho tosse suspiro canção',
    'de do da a o em fundo suave alegre dramática e som sem áudio',
  ], // Portuguese
  [
    'muziek stilte applaus gelach lacht geluid geruis ruis gehoest zucht',
    'op de achtergrond zachte rustige en achtergrondmuziek geen',
  ], // Dutch
  [
    'muzyka cisza oklaski brawa śmiech śmiechy szum hałas kaszel westchnienie',
    'w tle spokojna cicha i dramatyczna brak dźwięku',
  ], // Polish
  [
    'музыка тишина аплодисменты смех смеется смеётся шум кашель вздох песня пауза',
    'играет спокойная тихая фоновая в и веселая весёлая',
  ], // Russian
  ['музика тиша оплески сміх шум кашель пісня пауза', 'грає спокійна тиха і'], // Ukrainian
  ['hudba ticho potlesk smích smiech smiech šum hluk kašel', 'v pozadí tichá a'], // Czech, Slovak
  [
    'musik tystnad tyst applåder skratt skrattar brus stillhet latter applaus bifald stilhed klapsalver',
    'i bakgrunden bakgrunnen baggrunden lugn rolig svag og och',
  ], // Swedish, Norwegian, Danish
  ['musiikkia musiikki hiljaisuus hiljaisuutta aplodeja aplodit naurua nauraa kohinaa', 'taustalla rauhallista'], // Finnish
  [
    'müzik sessizlik alkış alkışlar gülüşmeler gülme kahkaha gürültü öksürük',
    'hafif fon fonda çalıyor sesi sesleri ve',
  ], // Turkish
  ['zene csend csönd taps nevetés zaj köhögés', 'halk a háttérben háttérzene'], // Hungarian
  ['muzică muzica liniște tăcere aplauze râsete zgomot', 'de în pe fundal fundalul lentă și'], // Romanian
  ['μουσική σιωπή χειροκροτήματα γέλια γέλιο θόρυβος παύση', 'υπόκρουση και απαλή'], // Greek
  ['موسيقى صمت تصفيق ضحك ضوضاء سكوت', 'هادئة في الخلفية خلفية'], // Arabic
  ['موسیقی سکوت تشویق خنده', 'آرام پس زمینه'], // Persian
  ['מוזיקה מוסיקה שקט שתיקה דממה צחוק רעש', 'רקע ברקע שקטה'], // Hebrew
  ['संगीत मौन खामोशी तालियाँ तालियां हँसी हंसी शोर सन्नाटा म्यूजिक', 'पृष्ठभूमि का की में'], // Hindi
  ['nhạc vỗ_tay im_lặng', 'nền nhẹ'], // Vietnamese
  ['musik hening keheningan sunyi tawa tertawa', 'latar belakang lembut'], // Indonesian
];

/** The same in scripts without spaces, in which words come in one run: what is heard, and what it comes with; longer ones first. */
const unspaced = {
  heard:
    /音乐|音樂|配乐|配樂|歌曲|静音|靜音|无声|無聲|沉默|寂静|寂靜|安静|安靜|掌声|掌聲|笑声|笑聲|噪音|杂音|雜音|无语音|音楽|無音|沈黙|静寂|拍手|笑い声|笑い|雑音|ノイズ|歓声|BGM|曲|笑|음악|노래|침묵|정적|무음|박수|웃음|소음|ดนตรี|เพลง|เงียบ|ปรบมือ|หัวเราะ/giu,
  with: /オープニング|エンディング|背景|轻快|輕快|轻柔|輕柔|舒缓|片头|片頭|片尾|激昂|欢快|歡快|主题|主題|响起|響起|静かな|明るい|優しい|激しい|が流れる|流れる|の音|会場|観客|잔잔한|경쾌한|배경|신나는|밝은|조용한|소리|재생|เสียง|บรรเลง|的|声|중/gu,
} as const;

const heardWords = new Set(sounds.flatMap(([heard]) => heard.split(' ')));
const otherWords = new Set(sounds.flatMap(([, others]) => others.split(' ')));

/** The forms in which such words stand; a text in any other is what somebody said. */
const marked =
  /\[([^[\]]{1,80})\]|\(([^()]{1,80})\)|\{([^{}]{1,80})\}|【([^【】]{1,80})】|（([^（）]{1,80})）|［([^［］]{1,80})］|<\|?([^<>|]{1,80})\|?>|\*{1,2}([^*]{1,80})\*{1,2}|[♪♫♬♩🎵🎶]+([^♪♫♬♩🎵🎶[\](){}]{1,80})[♪♫♬♩🎵🎶]+/gu;
/** Notes say it alone. */
const notes = /[♪♫♬♩🎵🎶]/gu;

/** Texts that are longer, in characters, are not made of such words alone: a model that repeats them is to be looked at. */
const longest = 2_000;

/**
 * Whether a text says that nobody speaks: it has nothing but known words for silence, music and noise, in brackets or the like. “[Anna]”,
 * “(laughs) no” and music without brackets are speech. An empty text says so, too.
 */
export function isNoSpeech(text: string): boolean {
  if (text.length > longest) return false;
  let isMarked = false;
  const rest = text
    .replace(marked, (all: string, ...groups: (string | undefined)[]) => {
      const inside = groups.slice(0, -2).find((group) => group !== undefined) ?? '';
      // Notes around words that are sung are no brackets.
      if (!isSound(inside)) return all;
      isMarked = true;
      return ' ';
    })
    .replace(notes, () => {
      isMarked = true;
      return ' ';
    });
  return isMarked ? !/[\p{L}\p{N}]/u.test(rest) : text.trim() === '';
}

/**
 * A text without what models write in square brackets where something else is heard: “[Music] Hello.” is “Hello.”. All else stays: round
 * brackets, stars and notes stand around what is said or sung as well.
 */
export function withoutSounds(text: string): string {
  if (text.length > longest) return text;
  const without = text.replace(marked, (all: string, ...groups: (string | undefined)[]) =>
    /^[[［【<]/u.test(all) && isSound(groups.slice(0, -2).find((group) => group !== undefined) ?? '') ? ' ' : all,
  );
  return without === text ? text : without.replace(/\s+/g, ' ').trim();
}

/** Whether words are for what is heard in place of speech: one of them at least says what. */
function isSound(text: string): boolean {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (heardWords.has(words.join('_')) || /^\0+$/.test(inUnspaced(words.join('')))) return true;
  return (
    words.some((word) => heardWords.has(word)) && words.every((word) => heardWords.has(word) || otherWords.has(word))
  );
}

/** A run of words with each that is heard as a zero, and without those that these come with. */
const inUnspaced = (run: string): string => run.replace(unspaced.heard, '\0').replace(unspaced.with, '');
