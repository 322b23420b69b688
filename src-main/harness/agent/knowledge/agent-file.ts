import { optional } from '../../../contract/shared/optional';
import { because, type Reason } from '../../../contract/shared/reasons';
import { type FilesystemPermission, PermissionRules } from '../../backends/policy/permissions';
import type { BackendProtocol } from '../../backends/protocol';
import { frontmatterOf } from './skill';
import { readTextFile } from './text-file';

/** A sub-agent described in a file. */
export interface AgentFile {
  /** The file name without `.md`. */
  name: string;
  /** When to use it, for the model that delegates tasks. */
  description: string;
  /** Its system prompt: the text below the frontmatter. */
  prompt: string;
  /** `provider:name`; default: the parent agent's model. */
  model?: string;
  /** Names of its tools; default: all. */
  tools?: string[];
  /** Replaces the parent agent's permissions. */
  permissions?: FilesystemPermission[];
  /** 1-based line of the file where these begin. */
  permissionsLine?: number;
  /** Path of the file. */
  path: string;
}

/** Files to read per folder. */
const MAX_AGENTS = 100;
const OPERATIONS = new Set(['read', 'write']);
const MODES = new Set(['allow', 'deny', 'interrupt']);

/**
 * The sub-agents that the folders' `*.md` files describe, at most 100 files of each folder. One in a later folder replaces one
 * of the same name. A folder that cannot be listed counts as empty.
 */
export async function listAgentFiles(
  backend: BackendProtocol,
  folders: readonly string[],
): Promise<{
  agents: AgentFile[];
  /** One for each file that was left out because it cannot be read or has an invalid field, and one for a folder with too many. */
  warnings: Reason[];
}> {
  const byName = new Map<string, AgentFile>();
  const warnings: Reason[] = [];
  const listed = await Promise.all(
    folders.map(async (given) => {
      const folder = given.endsWith('/') ? given : `${given}/`;
      return { folder, ...(await backend.ls(folder)) };
    }),
  );
  for (const { folder, files = [] } of listed) {
    const found = files.filter((file) => file.is_dir !== true && file.path.endsWith('.md'));
    if (found.length > MAX_AGENTS)
      warnings.push(because('agents_beyond', { path: folder, count: MAX_AGENTS }));
    for (const { path } of found.slice(0, MAX_AGENTS)) {
      const file = await readTextFile(backend, path);
      if (file === null) continue;
      const parsed = 'error' in file ? { problem: file.error } : await parseAgentFile(file.text, path);
      if ('problem' in parsed) warnings.push(because('agent_left_out', { path, why: parsed.problem }));
      else byName.set(parsed.name, parsed);
    }
  }
  return { agents: [...byName.values()], warnings };
}

/** Reads one file. An invalid field skips the agent, since guessing could give it too many permissions. */
export async function parseAgentFile(
  content: string,
  path: string,
): Promise<AgentFile | { problem: Reason }> {
  const front = await frontmatterOf(content);
  if ('problem' in front) return front;
  const { description, model, tools, permissions } = front.fields;
  const name = path.split('/').at(-1)?.replace(/\.md$/, '') ?? '';
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return { problem: because('agent_name_form') };
  if (typeof description !== 'string' || description.trim() === '')
    return { problem: because('agent_description_missing') };
  if (model !== undefined && (typeof model !== 'string' || !/^[a-z-]+:.+$/.test(model)))
    return { problem: because('agent_model_form') };
  const names = tools === undefined ? undefined : namesOf(tools);
  if (names === null) return { problem: because('agent_tools_form') };
  const rules = permissions === undefined ? undefined : rulesOf(permissions);
  if (rules === null) return { problem: because('agent_permissions_form') };
  const prompt = front.body.trim();
  if (prompt === '') return { problem: because('agent_text_missing') };
  return {
    name,
    description: description.trim(),
    prompt,
    path,
    ...optional({ model, tools: names, permissions: rules }),
    ...(rules === undefined ? {} : { permissionsLine: lineOf(content, 'permissions') }),
  };
}

/** 1-based line of a field of the front matter; 1 if it is written in an unusual form. */
const lineOf = (content: string, field: string): number =>
  Math.max(
    0,
    content.split('\n').findIndex((line) => line.replace(/^["']/, '').startsWith(field)),
  ) + 1;

function namesOf(value: unknown): string[] | null {
  const list = typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;
}

function rulesOf(value: unknown): FilesystemPermission[] | null {
  if (!Array.isArray(value)) return null;
  const rules = value.map((one: unknown): FilesystemPermission | null => {
    if (one === null || typeof one !== 'object') return null;
    const { operations, paths, mode = 'allow' } = one as Record<string, unknown>;
    const operationNames = namesOf(operations);
    const globs = Array.isArray(paths) ? namesOf(paths) : null;
    if (operationNames === null || globs === null || globs.length === 0) return null;
    if (operationNames.length === 0 || !operationNames.every((name) => OPERATIONS.has(name))) return null;
    if (typeof mode !== 'string' || !MODES.has(mode)) return null;
    return { operations: operationNames, paths: globs, mode } as FilesystemPermission;
  });
  if (!rules.every((rule) => rule !== null)) return null;
  try {
    new PermissionRules(rules);
    return rules;
  } catch {
    return null;
  }
}
