import type { Files } from './archive';
import { attribute, eachTag, local, named } from './xml';

/** How a number that stands for a time is shown. */
export type TimeFormat = 'date' | 'time' | 'both';

const ID = named('numFmtId');
const CODE = named('formatCode');

/** Formats with a number but without a code. 27 to 36 and 50 to 58 are dates of East Asian versions. */
function builtIn(id: number): TimeFormat | null {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58) || id === 36) return 'date';
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return 'time';
  return id === 22 ? 'both' : null;
}

function ofCode(code: string): TimeFormat | null {
  // What stands in quotes, after a backslash, or in brackets (colors, conditions, languages) is no part of a time.
  const plain = code
    .replace(/"[^"]*"|\\.|_.|\*./gu, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/giu, '')
    .toLowerCase();
  if (plain.includes('general')) return null;
  const hasDay = /[yd]/u.test(plain) || (/m/u.test(plain) && !/[hs]/u.test(plain));
  const hasTime = /[hs]/u.test(plain);
  if (hasDay) return hasTime ? 'both' : 'date';
  return hasTime ? 'time' : null;
}

/** For each style of cells, by its number: whether it shows times. */
export function timeFormats(files: Files): (TimeFormat | null)[] {
  const codes = new Map<number, string>();
  const found: (TimeFormat | null)[] = [];
  let isInCells = false;
  eachTag(files.get('xl/styles.xml') ?? '', (prefixed, tag) => {
    const name = local(prefixed);
    if (name === 'numFmt') codes.set(Number(attribute(tag, ID)), attribute(tag, CODE) ?? '');
    else if (name === 'cellXfs') isInCells = true;
    else if (name === '/cellXfs') isInCells = false;
    else if (name === 'xf' && isInCells) {
      const id = Number(attribute(tag, ID) ?? 0);
      const code = codes.get(id);
      found.push(code === undefined ? builtIn(id) : ofCode(code));
    }
  });
  return found;
}

const DAY = 86_400_000;
/** Excel counts days from here; the day 60 is 29 February 1900, which did not exist. */
const EPOCH = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** 31 December 9999, the last day of the format. */
const LAST_DAY = 2_958_466;

/** A day number as `2026-01-31 14:30`. Any other text is returned as it is. */
export function timeText(value: string, format: TimeFormat, from1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number < LAST_DAY)) return value;
  // A duration may be longer than a day.
  if (format === 'time' && number >= 1) return durationText(number);
  const days = from1904 || number >= 60 ? number : number + 1;
  const at = new Date(
    (from1904 ? EPOCH_1904 : EPOCH) + Math.round((days * DAY) / 1_000) * 1_000,
  ).toISOString();
  const [date = '', time = ''] = at.slice(0, 19).split('T');
  const clock = time.endsWith(':00') ? time.slice(0, 5) : time;
  return format === 'date' && number % 1 === 0 ? date : format === 'time' ? clock : `${date} ${clock}`;
}

function durationText(number: number): string {
  const seconds = Math.round((number * DAY) / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`;
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}${rest}`;
}
