/** Speech in languages with and without blanks, cut into pieces that share some of it, for what is made of it at the seams. */
import type { TranslatedPiece } from '../../src/audio/merge/mergePieces.ts';

/** Common words of a language, and what stands between them. */
export interface SpokenLanguage {
  readonly words: readonly string[];
  readonly gap: '' | ' ';
  /** Ends of sentences, and of clauses. */
  readonly stop: string;
  readonly comma: string;
  /** Characters a second. */
  readonly pace: number;
}

const list = (words: string): string[] => words.split(' ');

export const languages: Readonly<Record<string, SpokenLanguage>> = {
  Japanese: {
    words: list(
      'の に は を が と で て た も する いる ある こと これ それ この その よう です ます ない から まで です 私 彼 人 今日 明日 昨日 時間 港 船 会議 橋 工事 金曜日 料金 変更 連絡 予定 担当 予約 確認 お願いします ありがとうございます 東京 大阪 仕事 問題 場合 必要 考え 思い 行き 来て 見て 話し 聞い 新しい 大きい 小さい 多く 少し とても もう まだ すぐ 終わり 始まり データ システム サービス メール チーム プロジェクト スケジュール コーヒー 駅 電車 天気 雨 晴れ 水 海 山 道 車 家 部屋 学校 先生 学生 友達 家族 子供 お金 値段 買い物 料理 朝 昼 夜 週末 来月 去年 三 五 十 二十 百',
    ),
    gap: '',
    stop: '。',
    comma: '、',
    pace: 7,
  },
  Chinese: {
    words: list(
      '的 是 在 了 我们 他们 你 我 有 和 就 不 也 都 这 那 个 一 上 下 来 去 说 要 会 可以 因为 所以 如果 但是 今天 明天 昨天 时间 港口 船 会议 大桥 施工 星期五 费用 变化 联系 计划 负责 预订 确认 请 谢谢 北京 上海 工作 问题 情况 需要 觉得 看 听 新 大 小 多 少 非常 已经 还 马上 结束 开始 数据 系统 服务 邮件 团队 项目 日程 咖啡 车站 火车 天气 下雨 晴天 水 海 山 路 汽车 家 房间 学校 老师 学生 朋友 家庭 孩子 钱 价格 买 做饭 早上 中午 晚上 周末 下个月 去年 三 五 十 二十 一百',
    ),
    gap: '',
    stop: '。',
    comma: '，',
    pace: 4.5,
  },
  Thai: {
    words: list(
      'ที่ และ เป็น ใน มี ไม่ ได้ ว่า จะ ของ ก็ ให้ คน มา ไป แล้ว กับ นี้ นั้น เรา เขา ผม ฉัน คุณ วันนี้ พรุ่งนี้ เมื่อวาน เวลา ท่าเรือ เรือ ประชุม สะพาน ก่อสร้าง วันศุกร์ ราคา เปลี่ยน ติดต่อ แผน รับผิดชอบ จอง ยืนยัน กรุณา ขอบคุณ กรุงเทพ งาน ปัญหา กรณี จำเป็น คิด ดู ฟัง ใหม่ ใหญ่ เล็ก มาก น้อย แล้ว ยัง ทันที จบ เริ่ม ข้อมูล ระบบ บริการ อีเมล ทีม โครงการ กาแฟ สถานี รถไฟ อากาศ ฝน น้ำ ทะเล ภูเขา ถนน รถ บ้าน ห้อง โรงเรียน ครู นักเรียน เพื่อน ครอบครัว เด็ก เงิน ซื้อ อาหาร เช้า กลางวัน เย็น สุดสัปดาห์ เดือนหน้า ปีที่แล้ว สาม ห้า สิบ ยี่สิบ ร้อย',
    ),
    gap: '',
    stop: ' ',
    comma: ' ',
    pace: 12,
  },
  German: {
    words: list(
      'die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als an nach wie im für man aber aus durch wenn nur war noch werden bei hat wir was wird sein einen welche sind oder zur um haben einer mir über ihm diese einem ihr uns da zum kann doch vor dieser mich ihn du hatte seine mehr am denn nun unter sehr selbst schon hier bis habe ihre dann ihnen seiner alle wieder meine Zeit gegen vom ganz einzelnen wo muss ohne eines können Hafen Nordbrücke Freitag Liegeplatz Besprechung Gebühr Wartungsarbeiten Ansprechpartner Genehmigung',
    ),
    gap: ' ',
    stop: '. ',
    comma: ', ',
    pace: 14,
  },
  Korean: {
    words: list(
      '이 그 저 것 수 있다 없다 하다 되다 오늘 내일 어제 시간 항구 배는 회의가 다리를 공사 금요일에 요금이 변경 연락해 계획 담당자 예약을 확인 부탁드립니다 감사합니다 서울에서 일을 문제가 경우 필요한 생각합니다 보고 듣고 새로운 큰 작은 많이 조금 아주 이미 아직 바로 끝나고 시작합니다 데이터 시스템 서비스 메일을 팀이 프로젝트 일정 커피 역에서 기차 날씨가 비가 물 바다 산 길 차 집에 방 학교 선생님 학생 친구와 가족 아이 돈을 가격 음식 아침 점심 저녁 주말 다음 지난',
    ),
    gap: ' ',
    stop: '. ',
    comma: ', ',
    pace: 6,
  },
};

/** Random numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Said {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Speech, and its pieces without times: neighbours share four seconds, and of a word at the end of a piece its half is heard.
 * @param others the share of words that are heard as other ones in a piece, where it shares them
 */
export function cutSpoken(
  { words, gap, stop, comma, pace }: SpokenLanguage,
  seconds: number,
  seed: number,
  others = 0,
): { readonly text: string; readonly pieces: TranslatedPiece[] } {
  const random = randomOf(seed);
  const said: Said[] = [];
  let left = 8;
  for (let at = 0; at < seconds; ) {
    // Words that are common come more often.
    const word = words[Math.floor(words.length * random() ** 2)] ?? '';
    const end = at + Math.max(0.08, word.length / pace);
    left--;
    const mark = left === 0 ? stop : left % 5 === 0 && random() < 0.5 ? comma : gap;
    if (left === 0) left = 5 + Math.floor(12 * random());
    said.push({ text: word + mark, start: at, end });
    at = end + (mark === stop ? 0.3 : 0);
  }
  const anyWord = (): string => words[Math.floor(words.length * random())] ?? '';
  const length = 45;
  const overlap = 2;
  const pieces: TranslatedPiece[] = [];
  for (let start = 0; start < seconds; start += length) {
    const end = Math.min(seconds, start + length);
    const [from, to] = [Math.max(0, start - overlap), Math.min(seconds, end + overlap)];
    const heard = said.filter((word) => word.start >= from - 0.02 && word.end <= to + 0.02);
    const isShared = (word: Said): boolean => word.start < start + overlap || word.end > end - overlap;
    const text = heard
      .map((word) => (isShared(word) && random() < others ? word.text.replace(/[\p{L}\p{M}]+/u, anyWord) : word.text))
      .join('')
      .trim();
    pieces.push({ start, end, from, to, startsQuiet: false, translation: { text, segments: undefined } });
  }
  const last = pieces.at(-1)?.to ?? 0;
  return {
    text: said
      .filter(({ end }) => end <= last + 0.02)
      .map((word) => word.text)
      .join('')
      .trim(),
    pieces,
  };
}
