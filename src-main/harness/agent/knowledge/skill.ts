import { z } from 'zod';
import { removeHiddenText } from '../../../base/hidden-text';
import { parseYaml } from '../../../base/limited-json';
import { optional } from '../../../contract/shared/optional';
import { because, type Reason } from '../../../contract/shared/reasons';
import { frontMatterProblem } from '../../../contract/shared/yaml-problem';

/** UTF-16 units. From the Agent Skills specification (agentskills.io). */
export const MAX_SKILL_NAME_LENGTH = 64;
/** UTF-16 units; a longer description is cut. From the Agent Skills specification (agentskills.io). */
export const MAX_SKILL_DESCRIPTION_LENGTH = 1_024;
/** Bytes. */
export const MAX_SKILL_FILE_SIZE = 10 * 1024 * 1024;
const MAX_COMPATIBILITY_LENGTH = 500;
/** Bytes of the frontmatter. Valid fields need a few hundred. */
export const MAX_FRONTMATTER = 16 * 1024;
export const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Whether a name is one of the Agent Skills format. */
export const isSkillName = (name: string): boolean =>
  name.length <= MAX_SKILL_NAME_LENGTH && /^[\p{Ll}\p{Nd}]+(-[\p{Ll}\p{Nd}]+)*$/u.test(name);

/** The metadata of a skill, known before its text is read. */
export const SkillMetadata = z.object({
  /** From the frontmatter. Usually that of the skill's folder. */
  name: z.string(),
  /** What the model decides by. At most 1,024 characters. */
  description: z.string(),
  /** Path of its SKILL.md. */
  path: z.string(),
  /** Null if the frontmatter names none. */
  license: z.string().nullable(),
  /** What it needs, in words. Null if it names nothing. At most 500 characters. */
  compatibility: z.string().nullable(),
  /** What the frontmatter has under `metadata`. */
  metadata: z.record(z.string(), z.string()),
  /** Tools that the skill's author allows it. The harness shows them and enforces nothing. */
  allowedTools: z.array(z.string()),
  /** A script in the skill's folder that an interpreter can import as `@/skills/NAME`. */
  module: z.string().optional(),
});
export type SkillMetadata = z.infer<typeof SkillMetadata>;

/**
 * Reads the frontmatter of a SKILL.md in the Agent Skills format. `skill` is missing if it cannot be used. `warnings` say
 * why, or what was cut or looks wrong.
 */
export async function parseSkill(
  content: string,
  path: string,
  directory: string,
): Promise<{ skill?: SkillMetadata; warnings: Reason[] }> {
  const leftOut = (why: Reason) => ({ warnings: [because('file_left_out', { path, why })] });
  if (Buffer.byteLength(content) > MAX_SKILL_FILE_SIZE)
    return leftOut(because('larger_than', { megabytes: MAX_SKILL_FILE_SIZE / 2 ** 20 }));
  const front = await frontmatterOf(content);
  if ('problem' in front) return leftOut(front.problem);
  const { fields } = front;
  const name = words(fields.name);
  const description = words(fields.description);
  if (name === '' || description === '') return leftOut(because('skill_fields_missing'));

  const warnings: Reason[] = [];
  if (!isSkillName(name)) warnings.push(because('skill_name_form', { path, name }));
  if (name !== directory) warnings.push(because('skill_name_not_folder', { path, name, folder: directory }));
  if (description.length > MAX_SKILL_DESCRIPTION_LENGTH)
    warnings.push(because('skill_description_cut', { path, limit: MAX_SKILL_DESCRIPTION_LENGTH }));
  const tools = fields['allowed-tools'];
  const compatibility = words(fields.compatibility).slice(0, MAX_COMPATIBILITY_LENGTH);
  return {
    skill: {
      name,
      description: description.slice(0, MAX_SKILL_DESCRIPTION_LENGTH),
      path,
      license: words(fields.license) || null,
      compatibility: compatibility || null,
      metadata: stringsOf(fields.metadata),
      allowedTools: Array.isArray(tools)
        ? tools.map(words).filter(Boolean)
        : words(tools)
            .split(/[\s,]+/)
            .filter(Boolean),
      ...optional({ module: moduleOf(fields.module) }),
    },
    warnings,
  };
}

/** The YAML between the first two lines of dashes, and the text after it. Neither ever throws. */
export async function frontmatterOf(
  content: string,
): Promise<{ fields: Record<string, unknown>; body: string } | { problem: Reason }> {
  const match = FRONTMATTER.exec(content);
  if (match === null) return { problem: because('no_front_matter') };
  const parsed = await parseYaml(match[1] ?? '', { maxBytes: MAX_FRONTMATTER });
  if ('problem' in parsed) return { problem: frontMatterProblem(parsed) };
  const fields = parsed.value;
  if (fields === null || typeof fields !== 'object' || Array.isArray(fields))
    return { problem: because('front_matter_not_fields') };
  // Descriptions are listed for the person and in the descriptions of tools.
  removeHiddenText(fields);
  return { fields: fields as Record<string, unknown>, body: content.slice(match[0].length) };
}

const words = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/** A path of a script below the skill's folder; undefined for anything else, as in the published package. */
function moduleOf(value: unknown): string | undefined {
  const path = typeof value === 'string' ? value.trim().replace(/^\.\//, '') : '';
  const isBelow = !path.startsWith('/') && !path.split('/').includes('..');
  return isBelow && SCRIPT.test(path) && !DECLARATIONS.test(path) ? path : undefined;
}

const stringsOf = (value: unknown): Record<string, string> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, words(one)]))
    : {};
