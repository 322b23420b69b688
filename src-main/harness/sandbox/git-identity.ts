import { dirname, join, resolve } from 'node:path';
import { inHome, settingsOf } from './git-config';

const KEYS = ['user.name', 'user.email'] as const;
/** Maximum depth of nested includes. */
const MAX_DEPTH = 10;
const MAX_LENGTH = 1_000;

/** `null`: it depends on a condition, so it is unknown. */
type Identity = Map<string, string | null>;

/**
 * A git configuration with only the person's name and email address: no helper, alias or hooks path. Empty if they have set
 * neither. Conditional values (`includeIf`) are skipped because they would be wrong if the condition is not met.
 */
export async function gitIdentity(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = env;
  const own = [join(XDG_CONFIG_HOME || join(home, '.config'), 'git/config'), join(home, '.gitconfig')];
  const found: Identity = new Map();
  // A later one wins, as in git.
  for (const config of ['/etc/gitconfig', ...(GIT_CONFIG_GLOBAL ? [GIT_CONFIG_GLOBAL] : own)])
    await collect(config, home, found, []);
  const lines = KEYS.flatMap((key) => {
    const value = found.get(key);
    return value ? [`\t${key.slice('user.'.length)} = ${quoted(value.slice(0, MAX_LENGTH))}\n`] : [];
  });
  return lines.length === 0 ? '' : `[user]\n${lines.join('')}`;
}

/** Included configurations apply at the point of inclusion. `above`: the chain of including files. */
async function collect(
  config: string,
  home: string,
  found: Identity,
  above: readonly string[],
): Promise<void> {
  for (const { key, value } of await settingsOf(config)) {
    if (KEYS.some((known) => known === key)) found.set(key, value);
    const isConditional = /^includeif\..*\.path$/s.test(key);
    if (key !== 'include.path' && !isConditional) continue;
    const within = [...above, config];
    const included = resolve(dirname(config), inHome(value, home));
    if (within.includes(included) || within.length > MAX_DEPTH) continue;
    const inner: Identity = new Map();
    await collect(included, home, inner, within);
    for (const [name, set] of inner) found.set(name, isConditional ? null : set);
  }
}

const quoted = (value: string) =>
  `"${value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')}"`;
