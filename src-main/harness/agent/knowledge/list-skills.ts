import { because, type Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol } from '../../backends/protocol';
import prompt from '../prompts/skills.md?raw';
import type { Parts } from './changes';
import { parseSkill, type SkillMetadata } from './skill';
import { readTextFile } from './text-file';

/** Folders to check in one source. */
const MAX_SKILLS = 500;
/** Files read concurrently. Most of the time goes to waiting for the disk; more would only keep more files open. */
const CONCURRENCY = 16;

/** The skills of all sources. */
export interface ListedSkills {
  /** If several have the same name, only the last one found. */
  skills: SkillMetadata[];
  /** One reason for each skill that was skipped or looks wrong, and one for a source with too many. */
  warnings: Reason[];
}

/**
 * Lists the skills of the sources. Each source is a folder of skills or a single skill's folder. A skill of a later source
 * replaces an earlier one of the same name. Missing sources are skipped.
 */
export async function listSkills(
  backend: BackendProtocol,
  sources: readonly string[],
): Promise<ListedSkills> {
  const byName = new Map<string, SkillMetadata>();
  const warnings: Reason[] = [];
  const listed = await Promise.all(
    sources.map((source) =>
      skillFiles(backend, source, warnings).catch((thrown: unknown) => {
        warnings.push(
          because('file_left_out', {
            path: source,
            why: because('failed_with', { text: messageOf(thrown) }),
          }),
        );
        return [];
      }),
    ),
  );
  const files = listed.flat();
  for (let from = 0; from < files.length; from += CONCURRENCY) {
    const some = files.slice(from, from + CONCURRENCY);
    const texts = await Promise.all(some.map(({ path }) => readTextFile(backend, path)));
    for (const [index, { path, directory }] of some.entries()) {
      const file = texts[index] ?? null;
      if (file === null) continue;
      if ('error' in file) {
        warnings.push(because('file_left_out', { path, why: file.error }));
        continue;
      }
      const { skill, warnings: found } = await parseSkill(file.text, path, directory);
      warnings.push(...found);
      // One that replaces another takes its place in the list.
      if (skill !== undefined) byName.set(skill.name, skill);
    }
  }
  return { skills: [...byName.values()], warnings };
}

async function skillFiles(backend: BackendProtocol, source: string, warnings: Reason[]) {
  const folder = source.endsWith('/') ? source : `${source}/`;
  const { files = [] } = await backend.ls(folder);
  const own = files.find((file) => file.path === `${folder}SKILL.md`);
  if (own !== undefined) return [{ path: own.path, directory: lastName(folder) }];
  const folders = files.filter((file) => file.is_dir === true);
  if (folders.length > MAX_SKILLS)
    warnings.push(because('skills_beyond', { path: folder, count: MAX_SKILLS }));
  return folders
    .slice(0, MAX_SKILLS)
    .map((file) => ({ path: `${file.path.replace(/\/$/, '')}/SKILL.md`, directory: lastName(file.path) }));
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const lastName = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? '';

/** A section of the system prompt with the names, purposes and paths of skills. */
export function skillParts(skills: readonly SkillMetadata[], sources: readonly string[]): Parts {
  const parts = Object.fromEntries(skills.map((skill) => [skill.name, describe(skill)]));
  const list =
    skills.length === 0
      ? `(No skills available yet. You can create skills in ${sources.join(' or ')})`
      : Object.values(parts).join('\n');
  return { section: `${prompt.trim()}\n\n${list}`, parts };
}

function describe(skill: SkillMetadata): string {
  const { name, description, path, license, compatibility, allowedTools, module } = skill;
  const notes = [
    ...(license === null ? [] : [`license: ${license}`]),
    ...(compatibility === null ? [] : [`needs: ${compatibility}`]),
    ...(allowedTools.length === 0 ? [] : [`tools: ${allowedTools.join(', ')}`]),
  ];
  return `- ${name}: ${description}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}\n  ${path}${module === undefined ? '' : `\n  import: await import("@/skills/${name}")`}`;
}
