import { anyText, checkOptions, flag, listOf, objectWith, oneOf, text } from '../../../base/check-options';
import { ConfigurationError } from '../../../base/configuration-error';
import { compileGlob, type GlobMatcher } from '../../../base/globs/glob';
import { isBelow } from '../../../base/is-below';
import { optional } from '../../../contract/shared/optional';
import { isSandboxBackend } from '../commands';
import { type Failure, failure, isFailure, orUnknown } from '../failure';
import { checkPath } from '../paths';
import type { BackendProtocol } from '../protocol';
import { ScreenedBackend, type ScreenedCall } from './policy-screen';

/** What a rule does with calls that it matches. `interrupt`: asks a person. */
export type PermissionMode = 'allow' | 'deny' | 'interrupt';

/** read: ls, read_file, glob, grep. write: write_file, edit_file, delete. */
export type FilesystemOperation = 'read' | 'write';

/** One rule. The first match decides. Without a match, the call is allowed. */
export interface FilesystemPermission {
  /** The kinds of calls that the rule is about. Commands are not among them. */
  operations: readonly FilesystemOperation[];
  /** Globs of whole paths (absolute). They match names with a leading dot like others. `/a/**` includes `/a`. */
  paths: readonly string[];
  /** `paths` are case-insensitive. Default false. */
  ignoreCase?: boolean;
  /** Default `allow`. `interrupt`: the person is asked. */
  mode?: PermissionMode;
  /** Shown to the person when they are asked. Default: the globs. */
  reason?: string;
}

export interface Verdict {
  mode: 'allow' | 'deny' | 'interrupt';
  /** The globs that decided. Empty if no rule matched. */
  rules: readonly string[];
  /** The rule's reason for the person. */
  reason?: string;
}

interface Rule {
  glob: string;
  operations: readonly FilesystemOperation[];
  mode: 'allow' | 'deny' | 'interrupt';
  matcher: GlobMatcher;
  reason: string | undefined;
}

/** Checks the options `permissions`: a rule with a misspelled mode or operation would protect nothing. */
export const rulesCheck = listOf(
  objectWith(
    {
      operations: listOf(oneOf('read', 'write'), 'operations'),
      paths: listOf(text, 'globs'),
      ignoreCase: flag,
      mode: oneOf('allow', 'deny', 'interrupt'),
      reason: anyText,
    },
    ['operations', 'paths'],
  ),
  'rules',
);

/** Path rules, checked on creation. Throws on an invalid rule: a programmer wrote it. */
export class PermissionRules {
  private readonly rules: readonly Rule[];

  constructor(permissions: readonly FilesystemPermission[]) {
    const problem = rulesCheck(permissions, 'permissions');
    if (problem !== undefined) throw new ConfigurationError(problem, 'INVALID_OPTION');
    this.rules = permissions.flatMap(({ operations, paths, ignoreCase = false, mode = 'allow', reason }) =>
      paths.map((glob) => ({ glob, operations, mode, matcher: compileRule(glob, ignoreCase), reason })),
    );
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  get globs(): readonly string[] {
    return this.rules.map((rule) => rule.glob);
  }

  /** Whether a rule with one of these modes could apply to something below a directory. */
  mayMatchBelow(operation: FilesystemOperation, path: string, modes: readonly PermissionMode[]): boolean {
    return this.rules.some(
      (one) => one.operations.includes(operation) && modes.includes(one.mode) && matchesBelow(one, path),
    );
  }

  /** The verdict of the first rule that matches a canonical path. */
  judge(operation: FilesystemOperation, path: string): Verdict {
    const rule = this.rules.find((one) => one.operations.includes(operation) && matches(one, path));
    if (rule === undefined) return { mode: 'allow', rules: [] };
    const { mode, glob, reason } = rule;
    return { mode, rules: [glob], ...optional({ reason }) };
  }

  /**
   * The verdict before a call runs, for code that asks the person. `path` is canonical. `below`: the call also reads or
   * affects everything below. The backend omits or rejects what is denied there, but interrupt rules ask first.
   */
  beforehand(operation: FilesystemOperation, path: string, below: boolean): Verdict {
    const verdict = this.judge(operation, path);
    if (!below || verdict.mode !== 'allow') return verdict;
    const asking = this.rules.filter(
      (one) =>
        one.mode === 'interrupt' &&
        one.operations.includes(operation) &&
        (matches(one, path) || matchesBelow(one, path)),
    );
    return asking.length === 0 ? verdict : { mode: 'interrupt', rules: asking.map((one) => one.glob) };
  }

  /**
   * The verdict for a directory with everything that is or may be below it: the strictest rule that could apply, whatever
   * the order, since an allowed directory may contain denied files. A denied parent directory counts too, since everything
   * below it is part of it.
   */
  judgeTree(operation: FilesystemOperation, path: string): Verdict {
    const above = path
      .split('/')
      .slice(1, -1)
      .map((_, depth, names) => `/${names.slice(0, depth + 1).join('/')}`);
    const touched = this.rules.filter(
      (one) =>
        one.operations.includes(operation) &&
        (matches(one, path) ||
          matchesBelow(one, path) ||
          (one.mode === 'deny' && above.some((directory) => matches(one, directory)))),
    );
    for (const mode of ['deny', 'interrupt'] as const) {
      const strict = touched.filter((one) => one.mode === mode);
      if (strict.length > 0) return { mode, rules: strict.map((one) => one.glob) };
    }
    return { mode: 'allow', rules: [] };
  }
}

/**
 * Both names of a place: the given path made canonical, and where its links lead, if that is known. Empty for an invalid
 * path.
 */
export async function placesOf(backend: BackendProtocol, path: unknown): Promise<readonly string[]> {
  const at = checkPath(path);
  if (isFailure(at)) return [];
  const real = await orUnknown(backend.realPath?.(at.path) ?? Promise.resolve(at.path));
  return typeof real !== 'string' || real === at.path ? [at.path] : [at.path, real];
}

/**
 * Whether a backend can enforce the rules. A command reaches any file, so if commands run, rules apply only below the routes
 * of a composite that commands do not see.
 */
export function canHoldRules(backend: BackendProtocol, rules: PermissionRules): boolean {
  if (rules.isEmpty || !isSandboxBackend(backend)) return true;
  const routes =
    'routePrefixes' in backend && Array.isArray(backend.routePrefixes) ? backend.routePrefixes : [];
  const shells =
    'shellPrefixes' in backend && Array.isArray(backend.shellPrefixes) ? backend.shellPrefixes : [];
  const safe = routes.filter((prefix) => typeof prefix === 'string' && !shells.includes(prefix));
  return rules.globs.every((glob) => safe.some((prefix: string) => isBelow(literalPart(glob), prefix)));
}

/** Options of `PermissionBackend`. */
export interface PermissionBackendOptions {
  /** The effect of an `interrupt` rule here. Use `allow` only if the person was asked before. Default `deny`. */
  interrupt?: 'allow' | 'deny';
}

/** A backend that enforces the rules, whoever calls it. It rejects commands if they could bypass the rules. */
export class PermissionBackend extends ScreenedBackend {
  protected readonly sees: ((path: string) => boolean) | null;
  private readonly rules: PermissionRules;
  private readonly asked: boolean;

  /** Throws if a path is not absolute, or contains `..` or a name that starts with `~`. The first rule that matches decides. */
  constructor(
    inner: BackendProtocol,
    permissions: readonly FilesystemPermission[],
    options: PermissionBackendOptions = {},
  ) {
    super(inner);
    checkOptions('PermissionBackend', options, { interrupt: oneOf('allow', 'deny') });
    this.rules = new PermissionRules(permissions);
    this.asked = options.interrupt === 'allow';
    this.sees = this.rules.isEmpty ? null : (path) => this.allows(this.rules.judge('read', path));
  }

  protected async check(call: ScreenedCall): Promise<Failure | null> {
    if (call.access === 'execute')
      return canHoldRules(this.inner, this.rules) ? null : failure('denied', COMMANDS_REFUSED);
    const { path, access } = call;
    const verdict =
      call.operation === 'delete' && !(await this.isLeaf(path))
        ? this.rules.judgeTree(access, path)
        : this.rules.judge(access, path);
    if (this.allows(verdict)) return null;
    const why = call.operation === 'delete' ? ` (matches deny rule(s): ${verdict.rules.join(', ')})` : '';
    return failure('denied', `Error: permission denied for ${access} on ${path}${why}`);
  }

  private allows({ mode }: Verdict): boolean {
    return mode === 'allow' || (mode === 'interrupt' && this.asked);
  }

  /**
   * True only for a known file with nothing below it. A path that cannot be listed may contain anything, and a store may
   * have a file and others below its name.
   */
  private async isLeaf(path: string): Promise<boolean> {
    const read = await this.inner.read(path, 0, 1);
    if (read.error !== undefined) return false;
    const below = await this.inner.ls(path);
    if (below.error !== undefined) return below.kind === 'special' || /not a directory/i.test(below.error);
    return below.files?.length === 0;
  }
}

const COMMANDS_REFUSED =
  'Error: commands are not allowed here, because they could bypass the path rules. Use the file tools instead.';

/** Maximum number of compiled rules that are cached. */
const MAX_COMPILED = 1_000;
const compiled = { exact: new Map<string, GlobMatcher>(), anyCase: new Map<string, GlobMatcher>() };

/** The same rules apply turn after turn, and are created for each. Compiling them takes most of the time. */
function compileRule(glob: string, ignoreCase: boolean): GlobMatcher {
  const cache = ignoreCase ? compiled.anyCase : compiled.exact;
  const known = cache.get(glob);
  if (known !== undefined) return known;
  if (cache.size >= MAX_COMPILED) cache.clear();
  const matcher = compileNew(glob, ignoreCase);
  cache.set(glob, matcher);
  return matcher;
}

function compileNew(glob: string, ignoreCase: boolean): GlobMatcher {
  if (!glob.startsWith('/')) throw new Error(`path must be absolute: "${glob}"`);
  if (glob.split('/').includes('..')) throw new Error(`path must not contain "..": "${glob}"`);
  if (glob.split('/').some((name) => name.startsWith('~')))
    throw new Error(`path must not contain "~": "${glob}"`);
  const matcher = compileGlob(glob, { dot: true, ignoreCase });
  if (isFailure(matcher)) throw new Error(`path "${glob}": ${matcher.error}`);
  return matcher;
}

/** `/a/**` also matches `/a`, and `/**` the root. */
function matches({ glob, matcher }: Rule, path: string): boolean {
  const relative = path.slice(1);
  return (
    matcher.matches(relative) ||
    (/\/\*\*\/?$/.test(glob) && matcher.matches(`${relative}/\u0001`.replace(/^\//, '')))
  );
}

const matchesBelow = ({ matcher }: Rule, path: string): boolean => matcher.mayMatchBelow(path.slice(1));

/** The names of a glob before its first pattern. */
function literalPart(glob: string): string {
  const names = glob.split('/');
  const first = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  const at = checkPath(names.slice(0, first < 0 ? undefined : first).join('/') || '/');
  return isFailure(at) ? '/' : at.path;
}
