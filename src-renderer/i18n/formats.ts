import type { Language } from './fill';

export interface Formats {
  /** Milliseconds as "12 ms", "2.1 s", "3 min 5 s" or "1 h 5 min". */
  duration(milliseconds: number): string;
  /** Bytes as "512 B", "1.4 kB", "3.2 MB". */
  bytes(bytes: number): string;
  /** How long ago, in the largest unit that fits; "now" for less than a minute. Both in milliseconds since 1970. */
  ago(at: number, now: number): string;
  /** The same in as few characters as possible, for lists: "5m", "2h", "3d". */
  age(at: number, now: number): string;
  /** The full date and time, for a tooltip. */
  moment(at: number): string;
  number(value: number): string;
  /** Compact from a million on, "626.1M"; for numbers that people compare, shown beside the full number. */
  short(value: number): string;
  /** Micro-dollars as "$0.12"; below one cent with two significant digits. */
  money(microDollars: number): string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units in lists; `#` is the number. */
const units: Record<Language, Record<'minute' | 'hour' | 'day', string>> = {
  en: { minute: '#m', hour: '#h', day: '#d' },
  zh: { minute: '#分', hour: '#小时', day: '#天' },
};

export function formats(language: Language): Formats {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
  const dayOfYear = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const monthOfYear = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric' });
  const isThisYear = (at: number, now: number) => new Date(at).getFullYear() === new Date(now).getFullYear();
  const number = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const sized = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const inUnits = (ms: number, unit: number) => whole.format(Math.floor(ms / unit));
  return {
    duration: (milliseconds) => {
      // Written while the clock was set back: no duration is negative.
      const ms = Math.max(0, milliseconds);
      // Unit symbols are the same in every language.
      if (ms < SECOND) return `${whole.format(ms)} ms`;
      if (ms < MINUTE) return `${(ms < 10 * SECOND ? tenths : whole).format(ms / SECOND)} s`;
      if (ms < HOUR) return `${inUnits(ms, MINUTE)} min ${inUnits(ms % MINUTE, SECOND)} s`;
      return `${inUnits(ms, HOUR)} h ${inUnits(ms % HOUR, MINUTE)} min`;
    },
    bytes: (bytes) => {
      const units = ['B', 'kB', 'MB', 'GB', 'TB'];
      const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
      return `${sized.format(bytes / 1_000 ** power)} ${units[power] ?? 'B'}`;
    },
    ago: (at, now) => {
      const past = Math.max(0, now - at);
      if (past < MINUTE) return relative.format(0, 'second');
      if (past < HOUR) return relative.format(-Math.floor(past / MINUTE), 'minute');
      if (past < DAY) return relative.format(-Math.floor(past / HOUR), 'hour');
      if (past < 7 * DAY) return relative.format(-Math.floor(past / DAY), 'day');
      return (isThisYear(at, now) ? day : dayOfYear).format(at);
    },
    age: (at, now) => {
      const past = Math.max(0, now - at);
      if (past < MINUTE) return relative.format(0, 'second');
      if (past < HOUR) return units[language].minute.replace('#', whole.format(Math.floor(past / MINUTE)));
      if (past < DAY) return units[language].hour.replace('#', whole.format(Math.floor(past / HOUR)));
      if (past < 7 * DAY) return units[language].day.replace('#', whole.format(Math.floor(past / DAY)));
      return (isThisYear(at, now) ? day : monthOfYear).format(at);
    },
    moment: (at) => moment.format(at),
    number: (value) => number.format(value),
    short: (value) => (value < 1_000_000 ? number : compact).format(value),
    money: (microDollars) => {
      const dollars = microDollars / 1_000_000;
      const digits = dollars === 0 || dollars >= 0.01 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(dollars)));
      return `$${dollars.toFixed(digits)}`;
    },
  };
}
