import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { versionsBehind } from '../../approvals/behind';
import { readRegularText } from '../../base/open-regular';
import { isRefused, type Refused } from '../../base/regular-file';
import type { Project } from '../../contract/app';
import type { HookResult, HooksState } from '../../contract/hooks';
import type { ProjectId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { because, type Reason } from '../../contract/shared/reasons';
import type { Hook } from '../../harness/hooks/hook';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import { MAX_HOOK_FILE, parseHooks } from './hook-file';

/** Relative to the project folder. */
const FILE = join('.deepdesk', 'hooks.json');
const CONSENTS = 'hooks.consents';
const OFF = 'hooks.off';
/** Consents that are kept, the newest last. */
const MAX_CONSENTS = 500;

export interface HooksOptions {
  settings: Pick<Storage['settings'], 'get' | 'set'>;
  hub: Pick<Hub, 'app'>;
  /** Deepdesk's own data. */
  dataDir: string;
  /** Safe mode: no hook runs. */
  isOff: boolean;
  warn(why: Reason): void;
}

/**
 * The hooks of each project. They run only while the person has allowed exactly the present content of their file and of the
 * scripts that it names.
 */
export class Hooks {
  private readonly last = new Map<string, HookResult>();
  /** Digests that a conversation has mentioned. */
  private readonly told = new Set<string>();

  constructor(private readonly options: HooksOptions) {}

  async state(project: Project): Promise<HooksState> {
    const read = await this.read(project);
    const hooks = read.hooks.map((hook) => ({
      ...hook,
      tools: [...hook.tools],
      paths: [...hook.paths],
      commands: [...hook.commands],
      last: this.last.get(`${project.id}:${hook.name}`) ?? null,
    }));
    return { ...read, hooks, source: join(project.folder, FILE) };
  }

  /** The hooks that may run now. `isWaiting`: others would if the person allowed them, and was not told so before. */
  async runnable(project: Project): Promise<{ hooks: readonly Hook[]; isWaiting: boolean }> {
    const { phase, hooks, why, digest } = await this.read(project);
    const { warn } = this.options;
    if (phase === 'consent') warn(because('folder_brings_hooks', { folder: project.name }));
    if (phase === 'invalid' && why !== null)
      warn(because('hooks_file_left_out', { path: join(project.folder, FILE), why: [why] }));
    const isNews = phase === 'consent' && !this.told.has(digest);
    if (isNews) this.told.add(digest);
    return { hooks: phase === 'on' ? hooks : [], isWaiting: isNews };
  }

  /** Saves the person's decision about exactly this content. Errors: `stale`. */
  async consent(project: Project, digest: string, allowed: boolean): Promise<Result<object>> {
    const now = await this.read(project);
    if (now.digest !== digest) return fail('stale', 'hooks_changed');
    const others = this.consents().filter((one) => one !== digest);
    this.options.settings.set(CONSENTS, (allowed ? [...others, digest] : others).slice(-MAX_CONSENTS));
    this.changed(project.id);
    return ok({});
  }

  setEnabled({ id }: Project, enabled: boolean): void {
    const others = this.off().filter((one) => one !== id);
    this.options.settings.set(OFF, enabled ? others : [...others, id]);
    this.changed(id);
  }

  /** Records what a hook's run came to. */
  ran({ id }: Project, hook: string, result: HookResult): void {
    this.last.set(`${id}:${hook}`, result);
    this.changed(id);
  }

  private async read(project: Project): Promise<Omit<HooksState, 'hooks' | 'source'> & { hooks: Hook[] }> {
    const { folder } = project;
    const file = await readRegularText(join(folder, FILE), { root: folder, maxBytes: MAX_HOOK_FILE });
    const nothing = { text: '', scripts: [], digest: '', hooks: [] };
    if (isRefused(file)) {
      return file.refused === 'missing'
        ? { ...nothing, phase: 'none', why: null }
        : { ...nothing, phase: 'invalid', why: whyNotRead(file) };
    }
    const { text } = file;
    const parsed = parseHooks(text);
    if ('why' in parsed) return { ...nothing, text, phase: 'invalid', why: parsed.why };
    const { hooks } = parsed;
    if (hooks.length === 0) return { ...nothing, phase: 'none', why: null };
    const places = { folder, cwd: folder, home: homedir(), dataDir: this.options.dataDir };
    const behind = await Promise.all(hooks.map(({ command }) => versionsBehind(command, places)));
    const files = new Map(behind.flat().map(({ path, version }) => [path, version]));
    const digest = createHash('sha256')
      .update(JSON.stringify([folder, text, [...files].sort()]))
      .digest('hex');
    const scripts = [...files.keys()].map((path) => relative(folder, path)).sort();
    const found = { text, scripts, digest, hooks, why: null };
    if (this.options.isOff || this.off().includes(project.id)) return { ...found, phase: 'off' };
    return { ...found, phase: this.consents().includes(digest) ? 'on' : 'consent' };
  }

  private consents(): string[] {
    return this.options.settings.get(CONSENTS, z.array(z.string())) ?? [];
  }

  private off(): string[] {
    return this.options.settings.get(OFF, z.array(z.string())) ?? [];
  }

  private changed(projectId: ProjectId): void {
    this.options.hub.app({ type: 'hooks.changed', projectId });
  }
}

function whyNotRead({ refused, code }: Refused): Reason {
  if (refused === 'too_large') return because('hooks_file_too_large', { kilobytes: MAX_HOOK_FILE / 1024 });
  if (refused === 'outside' || refused === 'not_regular') return because('hooks_file_outside');
  return because('hooks_file_unreadable', { code });
}
