// The files that a run depends on besides the database, to detect changes.
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { listRegular } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import type { Project } from '../../../contract/app';
import type { StampedPlace } from '../../project/changes/file-stamps';
import type { SkillFolders } from '../../project/mounts';
import { instructionPlaces } from './knowledge';

/** Maximum number of entries checked per folder; skills and agents have lower limits. */
const MAX_ENTRIES = 2_000;

export interface RunFolders {
  project: Project;
  skills: SkillFolders;
  /** Folder on this machine with the person's own agents. */
  agents: string;
  /** Configuration files of MCP servers. */
  servers: readonly string[];
  /** The thread's own folders, which must exist. */
  own: readonly string[];
}

const content = (path: string): StampedPlace => ({ path, by: 'content' });

/** All places where a new, changed or deleted file would affect a run of the thread. */
export async function sourcesOf({
  project,
  skills,
  agents,
  servers,
  own,
}: RunFolders): Promise<StampedPlace[]> {
  const inProject = (name: string) => join(project.folder, '.deepdesk', name);
  const skillFolders = [...(skills.app === null ? [] : [skills.app]), skills.personal, inProject('skills')];
  const found = await Promise.all([
    ...skillFolders.map(skillPlaces),
    ...[agents, inProject('agents')].map(agentPlaces),
    instructionPlaces(project),
  ]);
  return [
    ...found.flat(),
    ...servers.map(content),
    ...own.map((path): StampedPlace => ({ path, by: 'identity' })),
  ];
}

/** A folder of skills, each in a folder with a SKILL.md, or a single skill's folder. */
async function skillPlaces(folder: string): Promise<StampedPlace[]> {
  const names = await entriesOf(folder);
  return [
    content(folder),
    ...names.filter(({ name }) => name === 'SKILL.md').map(({ name }) => content(join(folder, name))),
    // Links to folders count as folders.
    ...names.filter((one) => !one.isFile()).map(({ name }) => content(join(folder, name, 'SKILL.md'))),
  ];
}

async function agentPlaces(folder: string): Promise<StampedPlace[]> {
  const names = await entriesOf(folder);
  return [
    content(folder),
    ...names.filter(({ name }) => name.endsWith('.md')).map(({ name }) => content(join(folder, name))),
  ];
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const listed = await listRegular(folder, { root: folder, maxEntries: MAX_ENTRIES });
  return isRefused(listed) ? [] : listed.entries;
}
