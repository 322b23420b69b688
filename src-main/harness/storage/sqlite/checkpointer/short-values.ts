import { SMALL } from './pieces';
import { UNDEFINED } from './plain-text';
import { isList, isRecord } from './structure';

/** UTF-16 units of a string; longer ones become separate pieces. */
const SHORT = 512;

/** Stays inline in its list: a separate piece would cost more, at every step. */
export const isShort = (value: unknown) =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && value.length < SHORT);

const TINY_UNDEFINED = JSON.stringify(UNDEFINED);

/** The text of a value that never becomes a piece. Most channels of a state are unset or empty. */
export function tinyText(value: unknown): string | null {
  if (value === undefined) return TINY_UNDEFINED;
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
  if (isList(value)) return value.length === 0 ? '[]' : null;
  if (typeof value !== 'string' || value.length >= SMALL)
    return isRecord(value) && Object.keys(value).length === 0 ? '{}' : null;
  const text = JSON.stringify(value);
  return text.length < SMALL ? text : null;
}

export const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
