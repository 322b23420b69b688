import type { Found, SecretKind } from './kinds';
import { entropy, isStandIn } from './variety';

/** The part of a name that indicates a secret value. */
const TELLING =
  /secret|token|passwd|password|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|(?:encryption|signing|account|auth|master|shared)[-_]?key|credential|bearer[ \t]|authorization|(?<=[a-z0-9])_key\b|(?<=[-_])(?:pass|pwd)\b/gi;

/** Maximum UTF-16 units of a name after its telling part, between name and value, and of a value. */
const NAME_REST = 48;
const SPACES = 24;
const MAX_VALUE_LENGTH = 512;

/** Suffixes with which a name still names the secret; `tokens`, `tokenizer`, `token_type` and `secretName` do not. */
const SAME_NAME =
  /^(?:[-_]?\d{1,3}|[-_](?:prod|production|dev|development|test|staging|live|main|backup|old|new|value|b64|base64|key|string|default)|key|value)?$/i;
const ENV_NAME = /^[A-Z0-9_]*$/;
/** Names in which the telling part is harmless. */
const HARMLESS =
  /public|tokenizer|csrf|xsrf|(?:sort|primary|foreign|partition|cache|translation|i18n|query)[-_]?key$/i;
const PASSWORD = /pass|pwd/i;
const QUOTED = /^[^\s"'`\\]+/;
const TO_LINE_END = /^[^\s"'`,;(){}[\]<>\\]+/;
/** Stops at the next of several pairs, as in a query. */
const BARE = /^[^\s"'`,;(){}[\]<>\\&=]+={0,2}/;

const isNameChar = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  code === 45;
const isSpace = (char: string | undefined) => char === ' ' || char === '\t';

/**
 * Values of names such as `API_KEY=`, `"clientSecret": "…"`, `password: …`, `Authorization: Bearer …`, if the value looks
 * like a secret and not like code, words or a placeholder. Checks a limited distance around each name.
 */
export function* namedSecrets(text: string): Generator<Found> {
  TELLING.lastIndex = 0;
  for (let match = TELLING.exec(text); match !== null; match = TELLING.exec(text)) {
    const found = /^bearer/i.test(match[0]) ? bearerAt(text, TELLING.lastIndex) : namedValue(text, match);
    if (found === null) continue;
    yield found;
    TELLING.lastIndex = Math.max(TELLING.lastIndex, found.end);
  }
}

function bearerAt(text: string, at: number): Found | null {
  const [token = ''] = /^[A-Za-z0-9._~+/=-]{20,512}/.exec(text.slice(at, at + MAX_VALUE_LENGTH)) ?? [];
  if (!/\d/.test(token) || entropy(token) < 3.3) return null;
  return { start: at, end: at + token.length, kind: 'bearer' };
}

function namedValue(text: string, match: RegExpExecArray): Found | null {
  let begin = match.index;
  while (begin > 0 && match.index - begin < NAME_REST && isNameChar(text.charCodeAt(begin - 1))) begin--;
  let at = match.index + match[0].length;
  const nameEnd = at + NAME_REST;
  while (at < nameEnd && isNameChar(text.charCodeAt(at))) at++;
  const name = text.slice(begin, at).replace(/^-+/, '');
  const rest = text.slice(match.index + match[0].length, at);
  const isEnv = ENV_NAME.test(name);
  if (HARMLESS.test(name) || !(SAME_NAME.test(rest) || (isEnv && rest.startsWith('_')))) return null;
  if (isEnv && /_(?:ID|NAME|FILE|PATH|URL|TYPE|TTL|EXPIRY|LENGTH|SIZE|LIMIT|COUNT)$/.test(name)) return null;

  // "name": value, name = value, name=value, name: value, name => value, --name value
  if (text[at] === '"' || text[at] === "'") at++;
  const spaced = skip(text, at);
  let sign = spaced;
  while (sign - spaced < 2 && /[:=>]/.test(text[sign] ?? '')) sign++;
  const isOption = sign === spaced && text.slice(begin - 2, begin + 2).includes('--') && spaced > at;
  if (sign === spaced && !isOption) return null;
  let start = skip(text, sign);
  // A JSON string within another string.
  while (text[start] === '\\') start++;
  const quote = /["'`]/.test(text[start] ?? '') ? text[start] : undefined;
  if (quote !== undefined) start++;
  const scheme = /^(?:bearer|basic|token)[ \t]+/i.exec(text.slice(start, start + 16))?.[0].length ?? 0;
  start += scheme;

  const window = text.slice(start, start + MAX_VALUE_LENGTH);
  const isPlain = isEnv && sign === at + 1 && text[at] === '=';
  const form = quote !== undefined ? QUOTED : isPlain ? TO_LINE_END : BARE;
  const value = form.exec(window)?.[0] ?? '';
  const after = window[value.length];
  // A quoted secret fills the quotes completely.
  if (quote !== undefined && after !== quote && after !== '\\') return null;
  // A call, an index or a template is code that gets the value.
  if (quote === undefined && (after === '(' || after === '[' || after === '{')) return null;
  const kind: SecretKind = PASSWORD.test(name) ? 'password' : scheme > 0 ? 'bearer' : 'named';
  return isSecret(value, { kind, isPlain, isQuoted: quote !== undefined })
    ? { start, end: start + value.length, kind }
    : null;
}

function skip(text: string, from: number): number {
  let at = from;
  while (at - from < SPACES && isSpace(text[at])) at++;
  return at;
}

/** `isPlain`: in an environment file's format, where nothing is code. */
function isSecret(
  value: string,
  { kind, isPlain, isQuoted }: { kind: SecretKind; isPlain: boolean; isQuoted: boolean },
): boolean {
  if (value.length < 6 || isStandIn(value)) return false;
  if (/^(?:[./~]|https?:\/\/|file:)/.test(value) && !/^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(value)) return false;
  if (/\$\{|\{\{|<[a-z]|(?:redacted|withheld):/i.test(value)) return false;
  if (kind === 'password' && isPlain) return !/^\d{1,5}$/.test(value);
  if (kind === 'password' && isQuoted) return value.length >= 8 && /[\d\W]/.test(value) && isMixed(value);
  if (value.length < 12) return false;
  // Member access, and words joined by dots, dashes or underscores, are code and prose.
  if (/^[A-Za-z_][A-Za-z_./:-]*$/.test(value) && !(value.length >= 32 && entropy(value) >= 4)) return false;
  if (!isPlain && /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  return (
    /\d/.test(value) && entropy(value) >= (isPlain || isQuoted ? 2.8 : 3.2) && (isPlain || isMixed(value))
  );
}

/** Letters and other characters: neither a number nor a word. */
const isMixed = (value: string) => /[A-Za-z]/.test(value) && /[^A-Za-z]/.test(value) && entropy(value) >= 2.5;
