import { withoutReferences } from './secret-refs';
import { variablesIn } from './variables';

/** Stands where a secret is. */
export const MASK = '•••';

const SECRET_NAME = /token|key|secret|passw|credential|auth|bearer/i;
/** Names that nothing is steered by: what NODE_OPTIONS or LD_PRELOAD say is never called a key. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** How tokens of well-known services begin. */
const KNOWN_TOKEN =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}|\bgh[pousr]_\w{8,}|\bgithub_pat_\w{8,}|\bglpat-\S{8,}|\bxox[abprs]-\S{8,}|\bAKIA[A-Z0-9]{12,}/g;

/** Arguments with what looks like a secret masked. What only names a variable is no secret. */
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

/** An address without its user, the values of its query, and parts of its path that are too random to be words. */
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
 * What the person typed over what they were shown: a part that still is as it was shown is the part that was kept, also
 * elsewhere in the list where it can be no other.
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

/** Takes the values out of a text that is shown or told to a model. Short ones are words, not secrets. */
export function withoutValues(text: string, values: readonly string[]): string {
  let clean = text;
  for (const value of values) if (value.length >= 6) clean = clean.replaceAll(value, MASK);
  return clean.replaceAll(KNOWN_TOKEN, MASK);
}
