import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../../../approvals/confined';
import { NOT_CONFINED } from '../../../approvals/confined';
import type { Gate } from '../../../approvals/gate';
import { removeTree } from '../../../base/remove-tree';
import { isSecretEntry } from '../../../base/secret-paths';
import type { Project } from '../../../contract/app';
import type { SandboxDetails } from '../../../contract/commands/sandbox';
import type { ProjectId, ThreadId } from '../../../contract/ids';
import { because } from '../../../contract/shared/reasons';
import type { SandboxedCall, SandboxState } from '../../../contract/shared/sandbox';
import type { CommandSandbox } from '../../../harness';
import { scrubEnv } from '../../../harness/backends';
import {
  clearPlaceholders,
  createDenyingSandbox,
  createSandbox,
  detectSandbox,
  type HostList,
  hiddenPlaces,
  OBEYED,
  OWN_FOLDERS,
  PLACEHOLDER_RECORDS,
  type SandboxFound,
  type SandboxOptions,
  stateOf,
} from '../../../harness/sandbox';
import { runsCommand } from '../../../harness/tools/catalogue';
import type { Storage } from '../../../storage';
import type { Hub } from '../../window/hub';
import { findDenied } from './denied-paths';
import { type PathRules, pathRulesOf } from './path-rules';

interface SandboxParts {
  storage: Storage;
  hub: Hub;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** For tests: the sandbox to use instead of the detected one. */
  found?: SandboxFound;
}

/** The name of the /tmp of what runs outside of threads. */
const OUTSIDE_THREADS = 'places' as ThreadId;
/** Milliseconds. */
const KEEP = 24 * 60 * 60 * 1_000;

/** The sandbox of this machine, if any, and what the commands of each project find in it. */
export class Sandboxes {
  private found: SandboxFound | null = null;
  private readonly home: string;
  /** Resolves when detection has finished. */
  readonly ready: Promise<void>;

  constructor(private readonly parts: SandboxParts) {
    this.home = scrubEnv(parts.env).HOME ?? homedir();
    const looking = parts.found === undefined ? detectSandbox() : Promise.resolve(parts.found);
    this.ready = looking.then((found) => {
      this.found = found;
      parts.hub.app({ type: 'sandbox.changed', sandbox: stateOf(found) });
    });
  }

  /** Null during detection. */
  get state(): SandboxState | null {
    return this.found === null ? null : stateOf(this.found);
  }

  /** The confinement for the gate. It is read for each call, so that changes of the person apply immediately. */
  confinementOf(projectId: ProjectId): Confinement {
    if (this.found === null) return NOT_CONFINED;
    const project = this.parts.storage.projects.get(projectId);
    if (project?.remote !== undefined) return NOT_CONFINED;
    const { kind, reason } = stateOf(this.found);
    return { available: kind !== null, reason, wanted: project?.sandbox !== false };
  }

  /** Confines the commands of one thread; null if there is no sandbox. */
  of(
    project: Project,
    threadId: ThreadId,
    onCommand: (callId: string, call: SandboxedCall) => void,
  ): CommandSandbox | null {
    const options = this.optionsOf(project, threadId);
    return options && createSandbox({ ...options, onCommand });
  }

  /** For commands outside the sandbox: keeps them from what the project's rules deny. Null without such rules. */
  denying(project: Project): CommandSandbox | null {
    const { found } = this;
    if (found === null || found.kind === null || !this.pathRules(project).restricts) return null;
    return createDenyingSandbox(found, project.folder, () =>
      findDenied(this.pathRules(project), project.folder, ['deny']),
    );
  }

  /** Confines what runs for a project's folder outside of threads; null if its commands are not confined either. */
  async ofFolder(folder: string): Promise<CommandSandbox | null> {
    await this.ready;
    const project = this.parts.storage.projects.list().find((one) => one.folder === folder);
    if (project === undefined) return null;
    if (project.sandbox === false) return this.denying(project);
    const options = this.optionsOf(project, OUTSIDE_THREADS);
    return options && createSandbox(options);
  }

  /** What one thread's commands find in the sandbox; null if there is none. */
  optionsOf(project: Project, threadId: ThreadId): SandboxOptions | null {
    const { found } = this;
    if (found === null || found.kind === null || project.remote !== undefined) return null;
    return {
      found,
      folder: project.folder,
      home: this.home,
      own: [this.parts.dataDir],
      temporary: join(this.folder, threadId),
      isSecret: this.isSecret,
      // Nobody is asked about single paths while a command runs.
      denied: () => findDenied(this.pathRules(project), project.folder, ['deny', 'ask']),
      hosts: () => this.hostsOf(project.id, threadId),
      env: scrubEnv(this.parts.env),
      canAskOutside: true,
    };
  }

  /** What a throwaway layer needs to know of the detected sandbox. */
  async detected(): Promise<{ kind: string | null; program?: string }> {
    await this.ready;
    return this.found ?? { kind: null };
  }

  async details(): Promise<SandboxDetails> {
    await this.ready;
    const found = this.found ?? { kind: null, reason: because('system_without_sandbox') };
    const hidden = found.kind === null ? [] : await hiddenPlaces(this.home, [this.parts.dataDir]);
    return {
      ...stateOf(found),
      hidden:
        found.kind === 'bubblewrap'
          ? ['/run', ...hidden.map(({ path }) => path)]
          : hidden.map(({ path }) => path),
      readOnly: ['.git/hooks', '.git/config', ...OBEYED],
    };
  }

  /** Empties the /tmp of each erased thread, and those with no new files for a day. */
  async sweep(isKept: (id: string) => boolean): Promise<void> {
    const isOld = async (path: string) => {
      const found = await stat(path).catch(() => null);
      return Date.now() - (found?.mtimeMs ?? 0) > KEEP;
    };
    await clearPlaceholders(join(this.folder, PLACEHOLDER_RECORDS));
    // The first command creates it.
    const names = await readdir(this.folder).catch(() => []);
    await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        if (OWN_FOLDERS.includes(name) || name === OUTSIDE_THREADS) return;
        if (!isKept(name) || (await isOld(path))) await removeTree(path);
      }),
    );
  }

  private pathRules(project: Project): PathRules {
    return pathRulesOf(this.parts.storage, project);
  }

  private get folder(): string {
    return join(this.parts.dataDir, 'sandbox');
  }

  /** One function for all commands, so that what is found with it can be shared. */
  private readonly isSecret: SandboxOptions['isSecret'] = (path, kind) =>
    isSecretEntry(path, kind, this.home);

  private hostsOf(projectId: ProjectId, threadId: ThreadId): HostList {
    const hosts = (wanted: 'allow' | 'deny') =>
      this.parts.storage.rules
        .applying(projectId, threadId)
        .flatMap(({ effect, match }) => (effect === wanted && match.kind === 'host' ? [match.host] : []));
    return { allow: hosts('allow'), deny: hosts('deny') };
  }
}

/** Where commands run, by call id. A call that this process has not judged stays inside. */
export type Confinements = Map<string, 'outside' | 'read-write' | 'read-only'>;

/**
 * Records where each command runs: outside the sandbox if the person allowed it, by a rule or when prompted; inside if it
 * runs without asking.
 */
export function rememberConfinement(gate: Gate, confinements: Confinements): Gate {
  return {
    judge: async (call, signal, past) => {
      const verdict = await gate.judge(call, signal, past);
      if (runsCommand(call.tool)) {
        const confined = verdict.verdict === 'allow' ? verdict.confined : undefined;
        const isForReal = past?.forReal === true && verdict.verdict === 'ask';
        const access = confined === true || isForReal ? 'read-write' : (confined ?? 'outside');
        confinements.set(call.callId, access);
      }
      return verdict;
    },
  };
}
