/** Texts longer than this are of no format, in characters. */
const longest = 4_000;

const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const clock = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|[+-](\d\d):(\d\d))$/;
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** What each format of JSON Schema takes. Those that are not here are not checked, as the standard has it. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': (text) => /^[^tT ]+[tT][^tT]+$/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  duration: (text) => /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text),
  email: (text) => {
    const at = text.lastIndexOf('@');
    const local = text.slice(0, at);
    return at > 0 && /^[^\s@"(),:;<>[\\\]]+$/.test(local) && !/^\.|\.\.|\.$/.test(local) && isHost(text.slice(at + 1));
  },
  hostname: isHost,
  ipv4: isIpv4,
  ipv6: (text) => /^[\da-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]/`),
  uri: (text) => /^[a-z][a-z\d+.-]*:[^\s\\^`{|}"<>]*$/i.test(text) && !/%(?![\da-f]{2})/i.test(text),
  'uri-reference': (text) => /^[^\s\\^`{|}"<>]*$/.test(text) && !/%(?![\da-f]{2})/i.test(text),
  uuid: (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
};

/** Whether a text has a format; true for formats that are not known. */
export function hasFormat(text: string, format: string): boolean {
  const test = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return test === undefined || (text.length <= longest && test(text));
}

function isDate(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? [];
  if (year === undefined) return false;
  const made = new Date(0);
  made.setUTCFullYear(Number(year), Number(month) - 1, Number(date));
  return made.getUTCMonth() === Number(month) - 1 && made.getUTCDate() === Number(date);
}

function isTime(text: string): boolean {
  const [all, hours, minutes, seconds, offsetHours = '0', offsetMinutes = '0'] = clock.exec(text) ?? [];
  if (all === undefined || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return false;
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => label.test(part));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
