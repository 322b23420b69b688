import { withoutReferences } from './config/secret-refs';
import { variablesIn } from './config/variables';

/** Replaces a secret. */
export const MASK = '•••';

const SECRET_NAME = /token|key|secret|passw|credential|auth|bearer/i;
/** None of these names changes a program's behavior: NODE_OPTIONS or LD_PRELOAD are never treated as secrets. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Prefixes of tokens of well-known services. */
const KNOWN_TOKEN =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}|\bgh[pousr]_\w{8,}|\bgithub_pat_\w{8,}|\bglpat-\S{8,}|\bxox[abprs]-\S{8,}|\bAKIA[A-Z0-9]{12,}/g;

/** The arguments with likely secrets masked. A variable reference is not a secret. */
export function shownArgs(args: readonly string[]): string[] {
  return args.map((whole, index) => {
    const arg = withoutReferences(whole, MASK);
    const before = args[index - 1] ?? '';
    const isValueOf = /^--?[\w-]+$/.test(before) && SECRET_NAME.test(before) && !arg.startsWith('-');
    if (isValueOf) return masked(arg);
    const [, name = '', separator = '', value = ''] = /^([\w.-]+)(=|:\s*)(.+)$/s.exec(arg) ?? [];
    if (SECRET_NAME.test(name)) return `${name}${separator}${masked(value)}`;
    if (URL.canParse(arg) && /^https?:/.test(arg)) return shownUrl(arg);
    return arg.replaceAll(KNOWN_TOKEN, MASK);
  });
}

/** The address without its user, query values, and path segments that are too random to be words. */
export function shownUrl(whole: string): string {
  const url = withoutReferences(whole, MASK);
  if (!URL.canParse(url)) return variablesIn(url).length > 0 ? url : MASK;
  const user = /^([a-z]+:\/\/)[^/@]*@/i;
  const [address = '', query] = url.replace(user, `$1${MASK}@`).split(/\?(.*)/s);
  const path = address
    .split('/')
    .map((part, index) => (index > 2 && /^(?=.*\d)[\w-]{20,}$/.test(part) ? MASK : part))
    .join('/');
  if (query === undefined) return path;
  const shown = query
    .split('&')
    .map((pair) => pair.replace(/=(.*)$/s, (_whole, value: string) => `=${masked(value)}`));
  return `${path}?${shown.join('&')}`;
}

const masked = (value: string) => {
  const rest = value.replaceAll(/\$\{[^}]*\}/g, '').replace(/^bearer\s*/i, '');
  return rest === '' ? value : MASK;
};

/**
 * Merges the person's edits with the saved values. A part that still shows its mask keeps the saved value, even at another
 * position of the list if it is unambiguous.
 */
export function keepMasked(
  typed: readonly string[],
  shown: readonly string[],
  kept: readonly string[],
): string[] {
  return typed.map((one, index) => {
    if (one === shown[index]) return kept[index] ?? one;
    const at = shown.indexOf(one);
    return one.includes(MASK) && at === shown.lastIndexOf(one) ? (kept[at] ?? one) : one;
  });
}

/** Removes the values from a text for display or for a model. Short values are words, not secrets. */
export function withoutValues(text: string, values: readonly string[]): string {
  let clean = text;
  for (const value of values) if (value.length >= 6) clean = clean.replaceAll(value, MASK);
  return clean.replaceAll(KNOWN_TOKEN, MASK);
}
