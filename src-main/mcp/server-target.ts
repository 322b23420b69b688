import { type AppError, fail, ok, type Result } from '../contract/result';
import type { ServerConfig } from './config/config';
import { resolved, type SecretValues } from './config/secret-refs';
import { canSignIn } from './sign-in/sign-in-addresses';
import type { KeptSignIn } from './sign-in/sign-ins';
import type { ProcessKeeper } from './transport/processes';
import type { Target } from './transport/transport';

export interface TargetOptions {
  config: ServerConfig;
  /** Working directory of a program unless its configuration says otherwise. */
  folder: string;
  /** Deepdesk's complete environment, for the variables that the configuration names. */
  env: Readonly<Record<string, string | undefined>>;
  /** The environment that every program gets: no secrets. */
  baseEnv: Readonly<Record<string, string>>;
  /** The values that its configuration references; null unless it is one of the person's servers. */
  values: SecretValues | null;
  /** The saved sign-in for it at an address. */
  signInAt: (address: string) => KeptSignIn;
  processes: Pick<ProcessKeeper, 'mark'>;
}

export interface FoundTarget {
  target: Result<Target>;
  /** Values that must not be shown or sent to a model, even if there is no target. */
  hidden: string[];
  /** Where the person can sign in; null if it has no sign-in. */
  place: { address: string; kept: KeptSignIn } | null;
}

/** The program or address of a server, with its variables and saved values filled in. */
export function findTarget(options: TargetOptions, processId: string): FoundTarget {
  const { config, env, baseEnv, folder, processes } = options;
  const errors: AppError[] = [];
  const kept: string[] = [];
  const fillIn = (name: string, text: string) => {
    if (config.isLiteral) return text;
    const value = resolved(name, text, options.values, env);
    if (!value.ok) errors.push(value.error);
    else kept.push(...value.value.secrets);
    return value.ok ? value.value.text : '';
  };
  const secrets = Object.fromEntries(
    Object.entries(config.secrets).map(([name, text]) => [name, fillIn(name, text)]),
  );
  const [command, cwd] = [fillIn('command', config.command), fillIn('cwd', config.cwd)];
  const url = fillIn('url', config.url);
  const args = config.args.map((arg) => fillIn('args', arg));
  const hidden = [
    ...Object.values(secrets),
    ...kept,
    ...config.variables.flatMap((name) => env[name] ?? []),
    ...config.args.filter((arg, index) => arg !== args[index]),
  ];
  const [error] = errors;
  if (error !== undefined) return { target: { ok: false, error }, hidden, place: null };
  if (config.transport === 'stdio') {
    const target = ok({
      transport: config.transport,
      command,
      args,
      cwd: inFolder(folder, cwd),
      env: { ...baseEnv, ...secrets, ...processes.mark(processId) },
    });
    return { target, hidden, place: null };
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { target: fail('invalid', 'not_a_web_address'), hidden, place: null };
  const hasOwnKey = Object.keys(secrets).some((name) => name.toLowerCase() === 'authorization');
  const place = !hasOwnKey && canSignIn(url) ? { address: url, kept: options.signInAt(url) } : null;
  const target = ok({ transport: config.transport, url, headers: secrets, signIn: place?.kept ?? null });
  return { target, hidden, place };
}

/** The directory of a program whose configuration says `cwd`. */
export function inFolder(folder: string, cwd: string): string {
  if (cwd === '') return folder;
  const isAbsolute = cwd.startsWith('/') || /^[A-Za-z]:[\\/]/.test(cwd) || cwd.startsWith('\\\\');
  return isAbsolute ? cwd : `${folder}/${cwd}`;
}
