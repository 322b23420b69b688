/** Arguments by the tool that takes them, and what models write in their place. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  ['read_file', 'write_file', 'edit_file', 'delete'].map((tool) => [
    tool,
    {
      path: 'file_path',
      filePath: 'file_path',
      ...(tool === 'write_file' ? { text: 'content' } : {}),
      ...(tool === 'edit_file'
        ? {
            oldString: 'old_string',
            newString: 'new_string',
            replaceAll: 'replace_all',
            old_text: 'old_string',
            new_text: 'new_string',
          }
        : {}),
    },
  ]),
);

const SEARCH_ALIASES = { maxCount: 'max_count', outputMode: 'output_mode', include: 'glob' };

const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  ls: ['offset'],
  read_file: ['offset', 'limit', 'column'],
  glob: ['offset'],
  grep: ['max_count', 'context'],
  execute: ['timeout'],
  job_output: ['offset'],
};

const BOOLEANS: Readonly<Record<string, readonly string[]>> = {
  edit_file: ['replace_all'],
  grep: ['regex'],
  execute: ['background'],
};

/** Where null stands for something; elsewhere it is the same as leaving the argument out. */
const MAY_BE_NULL: Readonly<Record<string, readonly string[]>> = {
  grep: ['glob', 'max_count'],
  execute: ['timeout'],
  job_output: ['offset'],
};

const OURS = new Set([...Object.keys(ALIASES), ...Object.keys(NUMBERS)]);

/**
 * The arguments of a call of a built-in tool as its schema has them: other names for the same (`path` for `file_path`),
 * numbers and truth values written as text, nulls for what may be left out. To be done before anybody judges the call, so
 * that all see the same. Arguments of other tools, and what is none of these, stay as they are.
 */
export function canonicalArguments(tool: string, args: Record<string, unknown>): Record<string, unknown> {
  if (!OURS.has(tool)) return args;
  const aliases = ALIASES[tool] ?? (tool === 'grep' ? SEARCH_ALIASES : {});
  let changed = false;
  const canonical: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(args)) {
    const alias = Object.hasOwn(aliases, given) ? Reflect.get(aliases, given) : undefined;
    // The real name counts where both are there.
    const name = typeof alias === 'string' && !Object.hasOwn(args, alias) ? alias : given;
    const typed = typedValue(tool, name, value);
    changed ||= name !== given || typed !== value;
    if (typed !== undefined) canonical[name] = typed;
  }
  return changed ? canonical : args;
}

function typedValue(tool: string, name: string, value: unknown): unknown {
  if (value === null) return MAY_BE_NULL[tool]?.includes(name) === true ? null : undefined;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (NUMBERS[tool]?.includes(name) === true) {
    if (/^(?:null|none)?$/iu.test(text)) return typedValue(tool, name, null);
    return /^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : value;
  }
  if (BOOLEANS[tool]?.includes(name) === true && /^(?:true|false)$/iu.test(text))
    return text.toLowerCase() === 'true';
  return value;
}
