import { join } from 'node:path';
import { z } from 'zod';
import type { Project } from '../contract/app';
import type { McpServer, McpServers, McpState } from '../contract/mcp';
import { type ConfigEntry, digestOf, readConfigFile } from './config';
import type { KeptValues } from './kept-values';

/** Files of a project, the later one counting where both name a server. */
const PROJECT_FILES = ['.mcp.json', join('.deepdesk', 'mcp.json')];

const CONSENTS = 'mcp.consents';
const SWITCHES = 'mcp.switches';

/** A server as a file names it. */
export interface Configured {
  id: string;
  key: string;
  scope: McpServer['scope'];
  source: string;
  entry: ConfigEntry;
  /** Of the exact configuration in this folder. */
  digest: string;
  /** Why it does not run whatever it says; undefined where it may. */
  barred: McpState | undefined;
}

export interface ReadConfiguration {
  known: Configured[];
  problems: McpServers['problems'];
}

/** What the person's file and a project's configure, and which of it the person lets run. */
export class ConfiguredServers {
  constructor(
    private readonly personFile: string,
    private readonly kept: KeptValues,
  ) {}

  /** The files that are read for a project. */
  filesOf(project: Project): string[] {
    return [this.personFile, ...PROJECT_FILES.map((file) => join(project.folder, file))];
  }

  /** Null: the person's own alone. */
  async read(project: Project | null): Promise<ReadConfiguration> {
    const known: Configured[] = [];
    const problems: McpServers['problems'] = [];
    const take = async (source: string, scope: Configured['scope'], owner: string, folder: string | null) => {
      const { entries, problem } = await readConfigFile(source, folder);
      if (problem !== null) problems.push({ source, message: problem });
      for (const entry of entries) {
        const id = `${scope}:${entry.name}`;
        const digest = folder === null ? entry.digest : digestOf({ folder, entry: entry.digest });
        const before = known.findIndex((one) => one.id === id);
        if (before !== -1) known.splice(before, 1);
        known.push({ id, key: `${owner}:${entry.name}`, scope, source, entry, digest, barred: undefined });
      }
    };
    await take(this.personFile, 'person', 'person', null);
    if (project !== null) {
      for (const file of PROJECT_FILES) {
        await take(join(project.folder, file), 'project', project.id, project.folder);
      }
    }
    for (const one of known) one.barred = this.bar(one, known);
    return { known, problems };
  }

  /** The person's word on exactly this configuration. */
  consent(digest: string, allowed: boolean): void {
    const others = this.consents().filter((one) => one !== digest);
    this.kept.set(CONSENTS, allowed ? [...others, digest] : others);
  }

  setEnabled(key: string, enabled: boolean): void {
    this.kept.set(SWITCHES, { ...this.switches(), [key]: enabled });
  }

  private bar(one: Configured, known: Configured[]): McpState | undefined {
    const { entry } = one;
    if (!entry.ok) return { phase: 'invalid', message: entry.message };
    if (
      one.scope === 'project' &&
      known.some((own) => own.scope === 'person' && own.entry.name === entry.name)
    ) {
      return {
        phase: 'invalid',
        message:
          'You have a server of this name yourself, and yours is the one that is used. Rename one of them.',
      };
    }
    const isOn = this.switches()[one.key] ?? !entry.config.disabled;
    if (!isOn) return { phase: 'off' };
    // An unknown program is not switched on by a switch.
    return one.scope === 'project' && !this.consents().includes(one.digest)
      ? { phase: 'consent' }
      : undefined;
  }

  private consents(): string[] {
    return this.kept.get(CONSENTS, z.array(z.string())) ?? [];
  }

  private switches(): Record<string, boolean> {
    return this.kept.get(SWITCHES, z.record(z.string(), z.boolean())) ?? {};
  }
}
