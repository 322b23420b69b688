import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { anyText, checkOptions } from '../../../base/check-options';
import { readRegularSync } from '../../../base/open-regular-sync';
import { isRefused } from '../../../base/regular-file';
import { optional } from '../../../contract/shared/optional';
import {
  FRONTMATTER,
  isSkillName,
  MAX_FRONTMATTER,
  MAX_SKILL_DESCRIPTION_LENGTH,
  MAX_SKILL_FILE_SIZE,
} from './skill';

/** The folder that a skill comes from. */
export type Source = 'user' | 'project';

/** The metadata of a skill in a folder of this computer. */
export interface LoaderSkillMetadata {
  /** The name of its folder, too. */
  name: string;
  /** When to use it. At most 1,024 UTF-16 units. */
  description: string;
  /** Absolute path of its SKILL.md. */
  path: string;
  /** The folder that it comes from. */
  source: Source;
  /** As in the file. */
  license?: string;
  /** What it needs, such as a program. As in the file. */
  compatibility?: string;
  /** Other names and texts of the file. */
  metadata?: Record<string, string>;
  /** As in the file. Allows nothing by itself. */
  allowedTools?: string;
}

/** Folders whose subfolders are skills. Null or absent: none. */
export interface ListSkillsOptions {
  /** May start with `~`. */
  userSkillsDir?: string | null;
  /** Its skills replace the user's skills of the same name. */
  projectSkillsDir?: string | null;
}

/** Lists the skills in folders of this computer. Warns about what it skips, as the published package does. */
export function listSkills(options: ListSkillsOptions): LoaderSkillMetadata[] {
  checkOptions('listSkills', options, { userSkillsDir: anyText, projectSkillsDir: anyText });
  const { userSkillsDir, projectSkillsDir } = options;
  const found = [...skillsIn(userSkillsDir, 'user'), ...skillsIn(projectSkillsDir, 'project')];
  return [...new Map(found.map((skill) => [skill.name, skill])).values()];
}

function skillsIn(folder: string | null | undefined, source: Source): LoaderSkillMetadata[] {
  if (!folder) return [];
  const given = folder.startsWith('~') ? join(homedir(), folder.slice(1)) : folder;
  if (!existsSync(given)) return [];
  try {
    const base = realpathSync(given);
    return readdirSync(base, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(base, name, 'SKILL.md'))
      .flatMap((path) => (existsSync(path) ? (metadataOf(path, source, base) ?? []) : []));
  } catch {
    return [];
  }
}

/** Reads the frontmatter of a SKILL.md on this computer; null, with a warning, if it is not a skill. */
export const parseSkillMetadata = (path: string, source: Source): LoaderSkillMetadata | null =>
  metadataOf(path, source, null);

/** `root`: links out of this folder are not followed. */
function metadataOf(path: string, source: Source, root: string | null): LoaderSkillMetadata | null {
  const skip = (why: string) => {
    process.emitWarning(`The skill ${path} was left out: ${why}.`);
    return null;
  };
  const bytes = readRegularSync(path, { root, maxBytes: MAX_SKILL_FILE_SIZE });
  if (isRefused(bytes)) return skip('it cannot be read, or is larger than 10 MB');
  const fields = frontmatterOf(bytes.toString('utf8'));
  if (fields === null) return skip('it has no valid YAML frontmatter');
  const { name, description, license, compatibility, metadata, 'allowed-tools': tools } = fields;
  if (!name || !description) return skip('it needs a name and a description');
  if (!isSkillName(String(name)) || String(name) !== basename(dirname(path)))
    process.emitWarning(
      `The name of the skill ${path} should be that of its folder, and at most 64 lower-case letters, digits and single hyphens.`,
    );
  return {
    name: String(name),
    description: String(description).slice(0, MAX_SKILL_DESCRIPTION_LENGTH),
    path,
    source,
    ...optional({
      license: textOf(license),
      compatibility: textOf(compatibility),
      metadata:
        typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, string>) : undefined,
      allowedTools: textOf(tools),
    }),
  };
}

const textOf = (value: unknown): string | undefined => (value ? String(value) : undefined);

function frontmatterOf(text: string): Record<string, unknown> | null {
  const yaml = FRONTMATTER.exec(text)?.[1];
  if (yaml === undefined || yaml.length > MAX_FRONTMATTER) return null;
  // This function is synchronous, and few programs call it: the parser is loaded here.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  try {
    const fields: unknown = parse(yaml, { maxAliasCount: 0 });
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
