import { z } from 'zod';
import { isBelow } from '../../base/is-below';
import type { KeptValues } from '../kept-values';
import type { ProgramFile } from './program-files';

const SEEN = 'mcp.seenFiles';

const Seen = z.object({
  identity: z.string(),
  /** The folders of the projects of that time. */
  folders: z.array(z.string()),
  /** Versions of the files that it runs, by path. */
  versions: z.record(z.string(), z.string()),
});
type Seen = z.infer<typeof Seen>;

/** What is seen of a server. */
interface SeenServer {
  key: string;
  /** Digest of its configuration. */
  identity: string;
  files: readonly ProgramFile[] | null;
}

/**
 * The files in projects that the person's own servers run, as they were when the person configured the server, opened the
 * project, or allowed a change. The agent may change such a file without asking, and the server runs outside the sandbox.
 */
export class SeenFiles {
  constructor(
    private readonly kept: KeptValues,
    private readonly folders: () => readonly string[],
  ) {}

  /** Whether none of its files has changed. Files of a new configuration or project count as seen. */
  areAllowed(one: SeenServer): boolean {
    const before = this.all()[one.key];
    const isKnown = before !== undefined && before.identity === one.identity;
    const files = one.files ?? [];
    if (
      isKnown &&
      files.some(({ path, version }) => {
        const seen = before.versions[path];
        return seen === undefined ? before.folders.some((folder) => isBelow(path, folder)) : seen !== version;
      })
    )
      return false;
    this.allow(one);
    return true;
  }

  /** The person allows its files as they are now. */
  allow({ key, identity, files }: SeenServer): void {
    const all = this.all();
    const before = all[key]?.identity === identity ? all[key] : undefined;
    const versions = Object.fromEntries((files ?? []).map(({ path, version }) => [path, version]));
    const now: Seen = {
      identity,
      folders: [...this.folders()].sort(),
      // A file that is missing now counts as changed if it comes back different.
      versions: { ...before?.versions, ...versions },
    };
    if (JSON.stringify(before) !== JSON.stringify(now)) this.kept.set(SEEN, { ...all, [key]: now });
  }

  private all(): Record<string, Seen> {
    return this.kept.get(SEEN, z.record(z.string(), Seen)) ?? {};
  }
}
