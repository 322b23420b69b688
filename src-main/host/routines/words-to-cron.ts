/** A time of the day. */
interface Time {
  hour: number;
  minute: number;
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAYS_ZH = '日一二三四五六';

/**
 * The cron expression for a schedule in words, such as "every weekday at 9", "every 2 hours" or "on the 1st at 08:30", or
 * the same in Chinese. Null if they are not understood.
 */
export function wordsToCron(words: string): string | null {
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return intervalOf(text) ?? timesOf(text, english) ?? timesOf(text, chinese);
}

/** "every 15 minutes", "hourly", "every 2 hours". Only steps that divide an hour or a day evenly have fixed times. */
function intervalOf(text: string): string | null {
  const minutes = /^(?:every (\d+) ?(?:minutes?|mins?)|每隔? ?(\d+) ?分钟?)$/.exec(text);
  if (minutes !== null) return step(Number(minutes[1] ?? minutes[2]), 60, (each) => `${each} * * * *`);
  if (/^(every minute|每分钟)$/.test(text)) return '* * * * *';
  if (/^(every hour|hourly|每(个)?小时)$/.test(text)) return '0 * * * *';
  const hours = /^(?:every (\d+) ?(?:hours?|h)|每隔? ?(\d+) ?个?小时)$/.exec(text);
  if (hours !== null) return step(Number(hours[1] ?? hours[2]), 24, (each) => `0 ${each} * * *`);
  return null;
}

const step = (count: number, of: number, cron: (each: string) => string): string | null =>
  count < 1 || of % count !== 0 || count === of ? null : cron(count === 1 ? '*' : `*/${count}`);

/** The days and the times of a text, as one language has them: the last three fields of cron, and the times as written. */
type Reader = (text: string) => { days: string; times: Time[] } | null;

function timesOf(text: string, read: Reader): string | null {
  const found = read(text);
  const [first] = found?.times ?? [];
  if (found == null || first === undefined) return null;
  // One expression has one list of minutes for all of its hours.
  if (found.times.some(({ minute }) => minute !== first.minute)) return null;
  const hours = [...new Set(found.times.map(({ hour }) => hour))].sort((a, b) => a - b);
  return `${first.minute} ${hours.join(',')} ${found.days}`;
}

/** "every day 9:00", "weekdays 9am": without "at", only what cannot be a date is a time. */
const LEADING = /^(.*?) ?(\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?)$/;

const english: Reader = (text) => {
  const [, when = '', at = ''] = /^(?:(.*?) )?at (.+)$/.exec(text) ?? LEADING.exec(text) ?? [];
  const times = allOf(at.split(/,? and |, ?| & /), englishTime);
  const days = englishDays(when.replace(/^every month /, '').replace(/^(weekly|every week) on /, 'every '));
  return times === null || days === null ? null : { days, times };
};

function englishTime(text: string): Time | null {
  if (text === 'noon') return { hour: 12, minute: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0 };
  const [, hour, minute = '0', half] =
    /^(\d{1,2})(?:[:.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.|a\.m|p\.m)?$/.exec(text) ?? [];
  if (hour === undefined) return null;
  if (half === undefined) return timeAt(Number(hour), Number(minute));
  const twelve = Number(hour);
  if (twelve < 1 || twelve > 12) return null;
  return timeAt((twelve % 12) + (half.startsWith('p') ? 12 : 0), Number(minute));
}

const timeAt = (hour: number, minute: number): Time | null =>
  hour > 23 || minute > 59 ? null : { hour, minute };

function englishDays(text: string): string | null {
  if (/^(|every day|each day|daily|everyday)$/.test(text)) return '* * *';
  if (/^(every |each |on )?(weekdays?|workdays?|working days?)$/.test(text)) return '* * 1-5';
  if (/^(every |each |on )?weekends?$/.test(text)) return '* * 0,6';
  if (/^(monthly )?on the last day( of (the|every|each) month)?$/.test(text)) return 'L * *';
  const dates = /^(?:monthly )?on the (.+?)(?: of (?:the|every|each) month)?$/.exec(text)?.[1];
  if (dates !== undefined) {
    const numbers = allOf(dates.split(/,? and |, ?/), (one) =>
      dateOf(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(one)?.[1]),
    );
    return numbers === null ? null : `${numbers.join(',')} * *`;
  }
  const names = text.replace(/^(every |each |on )+/, '').split(/,? and |, ?/);
  const found = allOf(names, dayOf);
  return found === null ? null : `* * ${found.join(',')}`;
}

function dayOf(name: string): number | null {
  const plain = name.replace(/s$/, '');
  const at = DAYS.findIndex(
    (day) => day === name || day === plain || (plain.length >= 3 && day.startsWith(plain)),
  );
  return at === -1 ? null : at;
}

const dateOf = (digits: string | undefined): number | null => {
  const date = Number(digits);
  return date >= 1 && date <= 31 ? date : null;
};

/** 每天9点, 每个工作日 9:00, 每周一、周三 18点半, 每月1日 8:30. */
const chinese: Reader = (text) => {
  const [, when = '', at = ''] =
    /^(每天|每日|每个?工作日|工作日|每周末|周末|每(?:周|星期)[日天一二三四五六](?:[、,和](?:周|星期)?[日天一二三四五六])*|每月 ?\d{1,2} ?[日号]|每月(?:的)?最后一天)的? ?(.+)$/.exec(
      text,
    ) ?? [];
  const times = allOf(at.split(/[、,和] ?/), chineseTime);
  const days = chineseDays(when);
  return times === null || days === null ? null : { days, times };
};

function chineseTime(text: string): Time | null {
  const [, half = '', hour, minute, isHalf] =
    /^(凌晨|早上|上午|中午|下午|晚上)? ?(\d{1,2})(?:[:：](\d{2})|点(?:(半)|(?:\d{1,2}分?)?)?)$/.exec(text) ??
    [];
  if (hour === undefined) return null;
  const after = /点(\d{1,2})分?$/.exec(text)?.[1];
  const given = Number(hour);
  const isLate = (/下午|晚上/.test(half) && given < 12) || (half === '中午' && given < 3);
  // Midnight at the end of that day, or at its beginning.
  if (half === '晚上' && given === 12) return null;
  const isMidnight = half === '凌晨' && given === 12;
  return timeAt(
    isMidnight ? 0 : given + (isLate ? 12 : 0),
    isHalf === undefined ? Number(minute ?? after ?? 0) : 30,
  );
}

function chineseDays(text: string): string | null {
  if (/^(每天|每日)$/.test(text)) return '* * *';
  if (text.endsWith('工作日')) return '* * 1-5';
  if (text.endsWith('周末')) return '* * 0,6';
  if (text.endsWith('最后一天')) return 'L * *';
  const date = /^每月 ?(\d{1,2})/.exec(text)?.[1];
  if (date !== undefined) {
    const found = dateOf(date);
    return found === null ? null : `${found} * *`;
  }
  const days = [...text.replaceAll('天', '日')].flatMap((sign) => {
    const at = DAYS_ZH.indexOf(sign);
    return at === -1 ? [] : [at];
  });
  return days.length === 0 ? null : `* * ${days.join(',')}`;
}

/** The value of each text; null if one has none. */
function allOf<T>(texts: readonly string[], read: (text: string) => T | null): T[] | null {
  const values = texts.map(read);
  return values.some((value) => value === null) ? null : (values as T[]);
}
