import { fail, ok, type Result } from '../../contract/result';

/** `${NAME}` or `${NAME:-default}`, the common syntax of these files. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Names of the variables in a text. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(VARIABLE)].map(([, name = '']) => name);

/**
 * Expands the variables of a text. Values are inserted as they are and not expanded again. Errors: a variable is not set and
 * has no default.
 */
export function expand(text: string, env: Readonly<Record<string, string | undefined>>): Result<string> {
  const missing: string[] = [];
  const expanded = text.replaceAll(VARIABLE, (_whole, name: string, usual: string | undefined) => {
    const value = env[name] ?? usual;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  return missing.length === 0
    ? ok(expanded)
    : fail('invalid', 'variables_not_set', { names: missing.join(', ') });
}
