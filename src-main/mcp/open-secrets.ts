import { isSecretName } from './masks';

/** Part of a text, as UTF-16 positions. */
export interface Span {
  start: number;
  end: number;
}

/** The likely secrets in a text, without overlaps: those that would be redacted in a conversation. */
export type LikelySecrets = (text: string) => readonly Span[];

/** The parts of an `mcp.json` entry that can contain a secret. */
export interface SecretPlaces {
  args: readonly string[];
  /** Empty if there is none. */
  url: string;
  /** Environment variables or headers by name. */
  named: Readonly<Record<string, string>>;
}

/**
 * Replaces each likely plain-text secret of the entry with the result of `put`. Variable references and keychain references
 * stay unchanged.
 */
export function mapOpenSecrets<T extends SecretPlaces>(
  entry: T,
  likely: LikelySecrets,
  put: (value: string) => string,
): T {
  const within = (text: string, name: string) => replaced(text, spansIn(text, name, likely), put);
  return {
    ...entry,
    args: entry.args.map((arg, index) => within(arg, optionBefore(entry.args[index - 1]))),
    url: replaced(entry.url, spansOfUrl(entry.url, likely), put),
    named: Object.fromEntries(Object.entries(entry.named).map(([name, text]) => [name, within(text, name)])),
  };
}

/** The values that `mapOpenSecrets` would replace. */
export function openSecrets(entry: SecretPlaces, likely: LikelySecrets): string[] {
  const found: string[] = [];
  mapOpenSecrets(entry, likely, (value) => {
    found.push(value);
    return value;
  });
  return found;
}

/** `--token` before its value. Empty if the previous argument is not an option without a value. */
const optionBefore = (arg = '') => (/^--?[\w-]+$/.test(arg) ? arg : '');

function spansIn(text: string, name: string, likely: LikelySecrets): readonly Span[] {
  const plain = likely(text);
  if (plain.length > 0) return plain;
  if (isSecretName(name)) return ofSecretName(text, likely);
  const [, option = '', rest = ''] = /^(-{0,2}[\w.-]+(?:=|:\s*))(.+)$/s.exec(text) ?? [];
  return isSecretName(option) ? moved(ofSecretName(rest, likely), option.length) : [];
}

/** Returns the secret part of a value with a secret's name, unless it is a mode, a path or a placeholder. */
function ofSecretName(value: string, likely: LikelySecrets): Span[] {
  const before = 'token="';
  return moved(likely(`${before}${value}"`), -before.length).filter(
    ({ start, end }) => start >= 0 && end <= value.length,
  );
}

/** In addition to secrets of any text: query values with a secret's name, and path segments too random to be words. */
function spansOfUrl(url: string, likely: LikelySecrets): readonly Span[] {
  const found = [...likely(url)];
  const add = (spans: readonly Span[]) => {
    for (const one of spans)
      if (!found.some(({ start, end }) => one.start < end && start < one.end)) found.push(one);
  };
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  for (const { 0: part, index } of path.matchAll(/(?<=[^/]\/)(?=[^/]*\d)[\w-]{20,}(?=\/|$)/g))
    add([{ start: index, end: index + part.length }]);
  if (query !== -1) {
    for (const { 0: pair, index } of url.slice(query + 1).matchAll(/[^&#]+/g)) {
      const sign = pair.indexOf('=') + 1;
      if (sign > 0 && isSecretName(pair.slice(0, sign)))
        add(moved(ofSecretName(pair.slice(sign), likely), query + 1 + index + sign));
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

const moved = (spans: readonly Span[], by: number): Span[] =>
  spans.map(({ start, end }) => ({ start: start + by, end: end + by }));

function replaced(text: string, spans: readonly Span[], put: (value: string) => string): string {
  let done = '';
  let at = 0;
  for (const { start, end } of spans) {
    done += text.slice(at, start) + put(text.slice(start, end));
    at = end;
  }
  return done + text.slice(at);
}
