import { descriptorOf, type ToolDescriptor } from './catalogue';

type Forms = NonNullable<ToolDescriptor['arguments']>;

/**
 * Normalizes the arguments of a built-in tool's call to its schema: aliases (`path` for `file_path`), numbers and booleans
 * written as text, numbers out of range, and nulls for optional arguments. Run it before anything judges the call, so that
 * everything sees the same arguments. It leaves everything else as it is, including the arguments of other tools.
 */
export function canonicalArguments(tool: string, args: Record<string, unknown>): Record<string, unknown> {
  const forms: Forms | undefined = descriptorOf(tool)?.arguments;
  if (forms === undefined) return args;
  const aliases = forms.aliases ?? {};
  let changed = false;
  const canonical: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(args)) {
    const alias = Object.hasOwn(aliases, given) ? aliases[given] : undefined;
    // The real name wins if both are present.
    const name = alias !== undefined && !Object.hasOwn(args, alias) ? alias : given;
    const typed = typedValue(forms, name, value);
    changed ||= name !== given || typed !== value;
    if (typed !== undefined) canonical[name] = typed;
  }
  return changed ? canonical : args;
}

function inRange({ ranges = {} }: Forms, name: string, value: number): number {
  const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
  return range === undefined ? value : Math.min(range[1], Math.max(range[0], Math.floor(value)));
}

function typedValue(forms: Forms, name: string, value: unknown): unknown {
  if (value === null) return forms.nullable?.includes(name) === true ? null : undefined;
  if (typeof value === 'number') return inRange(forms, name, value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '' && forms.emptyIsNone?.includes(name) === true) return undefined;
  if (forms.numbers?.includes(name) === true) {
    if (/^(?:null|none)?$/iu.test(text)) return typedValue(forms, name, null);
    return /^-?\d+(?:\.\d+)?$/u.test(text) ? inRange(forms, name, Number(text)) : value;
  }
  if (forms.booleans?.includes(name) === true && /^(?:true|false)$/iu.test(text))
    return text.toLowerCase() === 'true';
  return value;
}
