import { join } from 'node:path';
import { z } from 'zod';
import type { Project } from '../../contract/app';
import type { McpServer, McpServers, McpState } from '../../contract/mcp';
import { because } from '../../contract/shared/reasons';
import type { KeptValues } from '../kept-values';
import { type ConfigEntry, digestOf, readConfigFile } from './config';
import { filesInProjects, filesRunBy, type ProgramFile, type ProgramPlaces } from './program-files';
import { SeenFiles } from './seen-files';

/** Configuration files of a project. The later one wins if both name a server. */
const PROJECT_FILES = ['.mcp.json', join('.deepdesk', 'mcp.json')];

const CONSENTS = 'mcp.consents';
const SWITCHES = 'mcp.switches';

/** A server as configured in a file. */
export interface Configured {
  id: string;
  key: string;
  scope: McpServer['scope'];
  source: string;
  entry: ConfigEntry;
  /** Digest of the exact configuration in this folder, and of the files of a project that it runs. */
  digest: string;
  /** Digest of the configuration alone, which rules for its tools are bound to. */
  identity: string;
  /** Those files. Null: there are too many to find them, so it must not run. */
  files: ProgramFile[] | null;
  /** Why it must not run; undefined if it may. */
  barred: McpState | undefined;
}

export interface ReadConfiguration {
  known: Configured[];
  problems: McpServers['problems'];
}

/** The servers in the person's and a project's files, and which of them the person allows. */
export class ConfiguredServers {
  private readonly seen: SeenFiles;

  constructor(
    private readonly personFile: string,
    private readonly kept: KeptValues,
    private readonly places: ProgramPlaces,
  ) {
    this.seen = new SeenFiles(kept, places.projectFolders);
  }

  /** The files that are read for a project. */
  filesOf(project: Project): string[] {
    return [this.personFile, ...PROJECT_FILES.map((file) => join(project.folder, file))];
  }

  /** Null: only the person's servers. */
  async read(project: Project | null): Promise<ReadConfiguration> {
    const known: Configured[] = [];
    const problems: McpServers['problems'] = [];
    const take = async (source: string, scope: Configured['scope'], owner: string, folder: string | null) => {
      const { entries, problem } = await readConfigFile(source, folder);
      if (problem !== null) problems.push({ source, why: problem });
      for (const entry of entries) {
        const id = `${scope}:${entry.name}`;
        const before = known.findIndex((one) => one.id === id);
        if (before !== -1) known.splice(before, 1);
        const key = `${owner}:${entry.name}`;
        known.push({
          id,
          key,
          scope,
          source,
          entry,
          ...(await this.boundTo(entry, folder)),
          barred: undefined,
        });
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

  /** Whether the person still allows a server, whose files may have changed since it was read. */
  async isAllowed({ scope, entry, digest }: Configured, project: Project | null): Promise<boolean> {
    const folder = scope === 'person' ? null : (project?.folder ?? null);
    return (await this.boundTo(entry, folder)).digest === digest;
  }

  /** What a consent covers. `folder`: null for a server of the person. */
  private async boundTo(
    entry: ConfigEntry,
    folder: string | null,
  ): Promise<Pick<Configured, 'digest' | 'identity' | 'files'>> {
    const identity = folder === null ? entry.digest : digestOf({ folder, entry: entry.digest });
    const files = !entry.ok
      ? []
      : folder === null
        ? await filesInProjects(entry.config, this.places)
        : await filesRunBy(entry.config, folder, this.places);
    const digest = files === null || files.length === 0 ? identity : digestOf({ identity, runs: files });
    return { digest, identity, files };
  }

  /** Saves the person's decision about exactly this configuration. */
  consent(one: Configured, allowed: boolean): void {
    if (one.scope === 'person') {
      if (allowed) this.seen.allow(one);
      return;
    }
    const { digest } = one;
    const others = this.consents().filter((one) => one !== digest);
    this.kept.set(CONSENTS, allowed ? [...others, digest] : others);
  }

  setEnabled(key: string, enabled: boolean): void {
    this.kept.set(SWITCHES, { ...this.switches(), [key]: enabled });
  }

  private bar(one: Configured, known: Configured[]): McpState | undefined {
    const { entry } = one;
    if (!entry.ok) return { phase: 'invalid', why: entry.why };
    if (one.files === null) return { phase: 'invalid', why: because('mcp_too_many_words') };
    if (
      one.scope === 'project' &&
      known.some((own) => own.scope === 'person' && own.entry.name === entry.name)
    ) {
      return { phase: 'invalid', why: because('mcp_name_taken') };
    }
    const isOn = this.switches()[one.key] ?? !entry.config.disabled;
    if (!isOn) return { phase: 'off' };
    // A server without consent cannot be enabled with the switch.
    const isAllowed =
      one.scope === 'person' ? this.seen.areAllowed(one) : this.consents().includes(one.digest);
    return isAllowed ? undefined : { phase: 'consent' };
  }

  private consents(): string[] {
    return this.kept.get(CONSENTS, z.array(z.string())) ?? [];
  }

  private switches(): Record<string, boolean> {
    return this.kept.get(SWITCHES, z.record(z.string(), z.boolean())) ?? {};
  }
}
