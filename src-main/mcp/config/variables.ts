import { fail, ok, type Result } from '../../contract/result';

/** `${NAME}` or `${NAME:-default}`, the common syntax of these files. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Names of the variables in a text. */
export const variablesIn = (text: string): string[] =>
  [...split(text).head.matchAll(VARIABLE)].map(([, name = '']) => name);

/**
 * Expands the variables of a text. Values are inserted as they are and not expanded again. Errors: a variable is not set and
 * has no default.
 */
export function expand(text: string, env: Readonly<Record<string, string | undefined>>): Result<string> {
  const missing: string[] = [];
  const { head, tail } = split(text);
  const expanded = head.replaceAll(VARIABLE, (_whole, name: string, usual: string | undefined) => {
    const value = env[name] ?? usual;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  return missing.length === 0
    ? ok(expanded + tail)
    : fail('invalid', 'variables_not_set', { names: missing.join(', ') });
}

/** No variable is in the tail. The search for the end of one would read it again for each beginning. */
function split(text: string): { head: string; tail: string } {
  const end = text.lastIndexOf('}') + 1;
  return { head: text.slice(0, end), tail: text.slice(end) };
}
