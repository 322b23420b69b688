import { z } from 'zod';
import { compileGlob } from '../../base/globs/glob';
import { jsonFault, jsonLine } from '../../base/json-position';
import { parseJson } from '../../base/limited-json';
import { formProblem } from '../../contract/shared/form-problem';
import { because, type Reason } from '../../contract/shared/reasons';
import type { Hook } from '../../harness/hooks/hook';
import { BUILT_IN_NAMES } from '../../harness/tools/catalogue';

/** Bytes. A consent shows the whole file. */
export const MAX_HOOK_FILE = 32 * 1024;
const MAX_DEPTH = 8;

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
  const parsed = parseJson(text, { maxBytes: MAX_HOOK_FILE, maxDepth: MAX_DEPTH });
  if ('problem' in parsed) return { why: notParsed(text, parsed.problem) };
  const at = (path: readonly PropertyKey[], why: Reason) => ({
    why: because('hooks_at_line', { line: jsonLine(text, path), why: [why] }),
  });
  const file = File.safeParse(parsed.value);
  if (!file.success) return at(file.error.issues[0]?.path ?? [], formProblem(file.error));
  const { hooks } = file.data;
  for (const [index, { name, tools, paths }] of hooks.entries()) {
    if (hooks.findIndex((other) => other.name === name) !== index)
      return at(['hooks', index, 'name'], because('hooks_name_twice', { hook: name }));
    // A mistyped name would leave a call unchecked.
    const unknown = tools.findIndex((tool) => !BUILT_IN_NAMES.has(tool) && !/\*|__/u.test(tool));
    if (unknown !== -1)
      return at(
        ['hooks', index, 'tools', unknown],
        because('hooks_tool_unknown', { hook: name, tool: tools[unknown] ?? '' }),
      );
    const wrong = paths.findIndex((pattern) => 'error' in compileGlob(pattern, { dot: true }));
    if (wrong !== -1)
      return at(
        ['hooks', index, 'paths', wrong],
        because('hooks_pattern', { hook: name, pattern: paths[wrong] ?? '' }),
      );
  }
  return { hooks };
}

function notParsed(text: string, problem: 'invalid' | 'too_deep' | 'too_large'): Reason {
  if (problem === 'too_large') return because('hooks_file_too_large', { kilobytes: MAX_HOOK_FILE / 1024 });
  if (problem === 'too_deep') return because('json_too_deep');
  return because('json_at', jsonFault(text) ?? { line: 1, column: 1 });
}
