import type { Project } from '../../contract/app';
import type { Output } from '../../contract/commands';
import { locateRipgrep } from '../../harness/backends/search/ripgrep';
import { openScout } from '../../workspace/scout-client';
import type { Hub } from '../window/hub';

type OpenScout = ReturnType<typeof openScout>;

/** Finds files of projects by name and reports their git status, by the paths that the tools use. */
export class FolderScout {
  private scout: Promise<OpenScout> | undefined;
  private readonly stop: () => void;

  constructor(
    hub: Hub,
    private readonly folderOf: (id: Project['id']) => string | null,
  ) {
    this.stop = hub.onApp((event) => {
      // The watcher only knows the folders that a window shows. What the agent writes elsewhere is recorded.
      const isChange = event.type === 'files.changed' || event.type === 'changes.recorded';
      if (!isChange || this.scout === undefined) return;
      const folder = this.folderOf(event.projectId);
      if (folder !== null) void this.scout.then((scout) => scout.changed(folder));
    });
  }

  async find(project: Project, query: string, limit: number): Promise<Output<'files.find'>> {
    const found = await (await this.open()).find(project.folder, query, limit);
    const matches = found.matches.map(({ name, ranges }) => ({
      name,
      ranges,
      path: `${project.mount}/${name}`,
    }));
    return { ...found, matches };
  }

  async marks(project: Project): Promise<Output<'files.marks'>> {
    const { repository, marks, cut } = await (await this.open()).marks(project.folder);
    return {
      repository,
      marks: marks.map(({ path, mark }) => ({ path: `${project.mount}/${path}`, mark })),
      cut,
    };
  }

  async ignored(project: Project, directories: readonly string[]): Promise<Output<'files.ignored'>> {
    const inside = directories.flatMap((path) =>
      path === project.mount
        ? ['']
        : path.startsWith(`${project.mount}/`)
          ? [path.slice(project.mount.length + 1)]
          : [],
    );
    const paths = await (await this.open()).ignored(project.folder, inside);
    return { paths: paths.map((path) => `${project.mount}/${path}`) };
  }

  changed(project: Project): void {
    void this.scout?.then((scout) => scout.changed(project.folder));
  }

  async close(): Promise<void> {
    this.stop();
    await (await this.scout)?.close();
  }

  private open(): Promise<OpenScout> {
    this.scout ??= locateRipgrep().then((program) => openScout(program));
    return this.scout;
  }
}
