import { z } from 'zod';
import { compileGlob } from '../../base/globs/glob';
import { parseJson } from '../../base/limited-json';
import { formProblem } from '../../contract/shared/form-problem';
import { because, type Reason } from '../../contract/shared/reasons';
import type { Hook } from '../../harness/hooks/hook';
import { BUILT_IN_NAMES } from '../../harness/tools/catalogue';

/** Bytes. A consent shows the whole file. */
export const MAX_HOOK_FILE = 32 * 1024;

const Patterns = z.array(z.string().min(1).max(200)).max(50).default([]);

const Entry = z.strictObject({
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u),
  event: z.enum(['before_tool', 'after_tool', 'turn_end']),
  tools: Patterns,
  paths: Patterns,
  commands: Patterns,
  command: z
    .string()
    .min(1)
    .max(4_000)
    .regex(/^[^\0]*$/u),
  timeoutSeconds: z.number().positive().max(600).default(30),
  onError: z.enum(['deny', 'continue']).default('deny'),
});

const File = z.strictObject({ hooks: z.array(Entry).max(50) });

/** The hooks in the text of a `hooks.json`, or why it cannot be used: a file with one mistake has no hooks at all. */
export function parseHooks(text: string): { hooks: Hook[] } | { why: Reason } {
  const parsed = parseJson(text, { maxBytes: MAX_HOOK_FILE, maxDepth: 8 });
  if ('problem' in parsed) return { why: because('hooks_file_not_json') };
  const file = File.safeParse(parsed.value);
  if (!file.success) return { why: formProblem(file.error) };
  const { hooks } = file.data;
  for (const [at, { name, tools, paths }] of hooks.entries()) {
    if (hooks.findIndex((other) => other.name === name) !== at)
      return { why: because('hooks_name_twice', { hook: name }) };
    // A mistyped name would leave a call unchecked.
    const unknown = tools.find((tool) => !BUILT_IN_NAMES.has(tool) && !/\*|__/u.test(tool));
    if (unknown !== undefined) return { why: because('hooks_tool_unknown', { hook: name, tool: unknown }) };
    const wrong = paths.find((pattern) => 'error' in compileGlob(pattern, { dot: true }));
    if (wrong !== undefined) return { why: because('hooks_pattern', { hook: name, pattern: wrong }) };
  }
  return { hooks };
}
