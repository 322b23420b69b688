import type { BackendProtocol } from '../../backends/protocol';
import prompt from '../prompts/skills.md?raw';
import type { Parts } from './changes';
import { parseSkill, type SkillMetadata } from './skill';
import { readTextFile } from './text-file';

/** Folders of one source that are looked into. */
const MAX_SKILLS = 500;
/** Files that are read at once: most of it is waiting for the disk, and more would only hold more of them open. */
const CONCURRENCY = 16;

export interface ListedSkills {
  skills: SkillMetadata[];
  /** A sentence for each that was left out or looks wrong. */
  warnings: string[];
}

/**
 * The skills below the sources, each a folder of skills or one skill's own folder. A later source's skill takes the
 * place of an earlier one of the same name. Sources that are not there are none.
 */
export async function listSkills(
  backend: BackendProtocol,
  sources: readonly string[],
): Promise<ListedSkills> {
  const byName = new Map<string, SkillMetadata>();
  const warnings: string[] = [];
  const files = (await Promise.all(sources.map((source) => skillFiles(backend, source)))).flat();
  for (let from = 0; from < files.length; from += CONCURRENCY) {
    const some = files.slice(from, from + CONCURRENCY);
    const texts = await Promise.all(some.map(({ path }) => readTextFile(backend, path)));
    for (const [index, { path, directory }] of some.entries()) {
      const file = texts[index] ?? null;
      if (file === null) continue;
      if ('error' in file) {
        warnings.push(`${path} was left out: ${file.error}`);
        continue;
      }
      const { skill, warnings: found } = await parseSkill(file.text, path, directory);
      warnings.push(...found);
      // Deleted first, so that the list is in the order of the sources that won.
      if (skill !== undefined) {
        byName.delete(skill.name);
        byName.set(skill.name, skill);
      }
    }
  }
  return { skills: [...byName.values()], warnings };
}

async function skillFiles(backend: BackendProtocol, source: string) {
  const folder = source.endsWith('/') ? source : `${source}/`;
  const { files = [] } = await backend.ls(folder);
  const own = files.find((file) => file.path === `${folder}SKILL.md`);
  if (own !== undefined) return [{ path: own.path, directory: lastName(folder) }];
  return files
    .filter((file) => file.is_dir === true)
    .slice(0, MAX_SKILLS)
    .map((file) => ({ path: `${file.path.replace(/\/$/, '')}/SKILL.md`, directory: lastName(file.path) }));
}

const lastName = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? '';

/** Names, purposes and places of skills, as a section of the system prompt. */
export function skillParts(skills: readonly SkillMetadata[], sources: readonly string[]): Parts {
  const parts = Object.fromEntries(skills.map((skill) => [skill.name, describe(skill)]));
  const list =
    skills.length === 0
      ? `(No skills available yet. You can create skills in ${sources.join(' or ')})`
      : Object.values(parts).join('\n');
  return { section: `${prompt.trim()}\n\n${list}`, parts };
}

function describe({ name, description, path, license, compatibility, allowedTools }: SkillMetadata): string {
  const notes = [
    ...(license === null ? [] : [`licence: ${license}`]),
    ...(compatibility === null ? [] : [`needs: ${compatibility}`]),
    ...(allowedTools.length === 0 ? [] : [`tools: ${allowedTools.join(', ')}`]),
  ];
  return `- ${name}: ${description}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}\n  ${path}`;
}
