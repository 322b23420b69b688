import { homedir } from 'node:os';
import { isBelow } from '../../../base/is-below';
import type { Project } from '../../../contract/app';
import type { Rule } from '../../../contract/control';
import type { PlaceRule } from '../../../contract/places';
import type { FilesystemOperation, FilesystemPermission, PermissionMode } from '../../../harness';
import { PermissionRules, type Verdict } from '../../../harness/backends';
import type { Storage } from '../../../storage';
import { literally } from '../mount-paths';

/** The project folder and everything else, in the tree that the rules are judged in. */
const INSIDE = '/inside';
const OUTSIDE = '/outside';

const MODES: Record<PlaceRule['effect'], PermissionMode> = { allow: 'allow', ask: 'interrupt', deny: 'deny' };

export interface PathVerdict {
  mode: PlaceRule['effect'];
  /** The pattern that decided, as the person wrote it. Empty if none did. */
  rule: string;
}

/** A project's rules about paths. The first one that matches decides. Throws on invalid patterns. */
export class PathRules {
  private readonly rules: PermissionRules;
  private readonly written = new Map<string, string>();

  constructor(
    readonly given: readonly PlaceRule[],
    private readonly mount: string,
    home = homedir(),
  ) {
    this.rules = new PermissionRules(given.map((rule) => this.permission(rule, home)));
  }

  get isEmpty(): boolean {
    return this.given.length === 0;
  }

  isOf(mount: string): boolean {
    return this.mount === mount;
  }

  /** Whether a rule keeps the agent from anything. */
  get restricts(): boolean {
    return this.given.some(({ effect }) => effect !== 'allow');
  }

  /** Whether a rule keeps it from writing. */
  get restrictsWriting(): boolean {
    return this.given.some(({ effect, operations }) => effect !== 'allow' && operations.includes('write'));
  }

  /** Absolute paths outside the folder that rules name. */
  outside(home = homedir()): string[] {
    return this.given.flatMap(({ glob }) => (isOutside(glob) ? [outsidePath(glob, home)] : []));
  }

  /** For a canonical absolute path. */
  judge(operation: FilesystemOperation, path: string): PathVerdict {
    return this.verdict(this.rules.judge(operation, this.placed(path)));
  }

  /** The same for a call that also reads or affects everything below the path. */
  beforehand(operation: FilesystemOperation, path: string, deletes: boolean): PathVerdict {
    const places = isBelow(this.mount, path) ? [INSIDE, `${OUTSIDE}${path}`] : [this.placed(path)];
    const verdicts = places.map((place) =>
      this.verdict(
        deletes ? this.rules.judgeTree(operation, place) : this.rules.beforehand(operation, place, true),
      ),
    );
    return (
      verdicts.find(({ mode }) => mode === 'deny') ?? verdicts.find(({ mode }) => mode === 'ask') ?? ALLOWED
    );
  }

  /** Whether a rule with one of these effects could apply to something below a folder. */
  mayApplyBelow(
    operation: FilesystemOperation,
    path: string,
    effects: readonly PlaceRule['effect'][],
  ): boolean {
    const modes = effects.map((effect) => MODES[effect]);
    return this.rules.mayMatchBelow(operation, this.placed(path), modes);
  }

  /** What they allow to be written in the folder, as rules for approvals. */
  allowing(project: Pick<Project, 'id'>): Rule[] {
    return this.given.flatMap(({ effect, operations, glob }, index): Rule[] =>
      effect === 'allow' && operations.includes('write') && !isOutside(glob)
        ? globsOf(glob).map((one) => ({
            id: `path-rule-${index}`,
            effect: 'allow',
            match: { kind: 'path', glob: one, changes: ['write', 'edit'] },
            scope: { kind: 'project', projectId: project.id },
            createdAt: 0,
          }))
        : [],
    );
  }

  private permission({ effect, operations, glob }: PlaceRule, home: string): FilesystemPermission {
    const paths = isOutside(glob)
      ? [`${OUTSIDE}${literally(outsidePath(glob, home))}/**`]
      : globsOf(glob).map((one) => `${INSIDE}/${one}`);
    for (const path of paths) this.written.set(path, glob);
    // On Linux, too, a folder may lie on a disk that ignores case.
    const ignoreCase = effect !== 'allow' || process.platform !== 'linux';
    return { operations, paths, mode: MODES[effect], ignoreCase };
  }

  private placed(path: string): string {
    if (!isBelow(path, this.mount)) return `${OUTSIDE}${path}`;
    return `${INSIDE}${path.slice(this.mount.length)}`;
  }

  private verdict({ mode, rules }: Verdict): PathVerdict {
    if (mode === 'allow') return ALLOWED;
    const patterns = new Set(rules.map((one) => this.written.get(one) ?? one));
    return { mode: mode === 'deny' ? 'deny' : 'ask', rule: [...patterns].join(', ') };
  }
}

const ALLOWED: PathVerdict = { mode: 'allow', rule: '' };

/** Absolute patterns are paths outside the folder. */
const isOutside = (glob: string): boolean => /^[/~]/.test(glob);

const outsidePath = (glob: string, home: string): string =>
  glob.replace(/^~(?=\/|$)/, () => home).replace(/(\/\*\*)?\/*$/, '');

/** A name means it at any depth, as in `.gitignore`, and a folder means everything in it. */
function globsOf(glob: string): string[] {
  const inner = glob.replace(/^(\.?\/+)+/, '').replace(/\/+$/, '');
  const anywhere = glob.includes('/') ? inner : `**/${inner}`;
  return anywhere.endsWith('/**') ? [anywhere] : [anywhere, `${anywhere}/**`];
}

/** The pattern that cannot be used; null if all can. */
export function wrongPathRule(rules: readonly PlaceRule[], mount: string): string | null {
  for (const rule of rules) {
    const path = isOutside(rule.glob) ? outsidePath(rule.glob, homedir()) : null;
    if (
      path !== null &&
      (!path.startsWith('/') || path === '' || /[*?[\]{}]/.test(path) || isBelow(path, mount))
    )
      return rule.glob;
    try {
      new PathRules([rule], mount);
    } catch {
      return rule.glob;
    }
  }
  return null;
}

/** Whether the agent may do more than before. Rules that deny can be added anywhere, and those that ask at the end. */
export function allowsMore(before: readonly PlaceRule[], after: readonly PlaceRule[]): boolean {
  let known = 0;
  for (const rule of after) {
    if (known < before.length && JSON.stringify(rule) === JSON.stringify(before[known])) known += 1;
    else if (rule.effect === 'allow' || (rule.effect === 'ask' && known < before.length)) return true;
  }
  return known < before.length;
}

const NONE: readonly PlaceRule[] = [];
/** By the stored list, which is the same object until it changes. */
const compiled = new WeakMap<readonly PlaceRule[], PathRules>();

/** The current rules of a project. */
export function pathRulesOf(
  { projects }: Pick<Storage, 'projects'>,
  { id, mount, copy }: Pick<Project, 'id' | 'mount' | 'copy'>,
): PathRules {
  const given =
    projects.get(id)?.pathRules ?? (copy === undefined ? null : projects.get(copy.of)?.pathRules) ?? NONE;
  // A copy shares the list of its original at another place.
  const known = compiled.get(given);
  if (known?.isOf(mount)) return known;
  const rules = new PathRules(given, mount);
  compiled.set(given, rules);
  return rules;
}
