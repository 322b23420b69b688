import { fail, ok, type Result } from '../contract/result';

/** `${NAME}` or `${NAME:-default}`, as the common form of these files has them. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Names of the variables that stand in a text. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(VARIABLE)].map(([, name = '']) => name);

/** The text with the values of its variables. A value is put in as it is and not looked at again. Errors: one that is not set and has no default. */
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
