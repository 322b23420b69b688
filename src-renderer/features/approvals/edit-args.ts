import type { ToolDisplay } from '@contract/shared/tool-display';

/** One editable field of a call's arguments. */
export interface EditField {
  /** Name of the argument; `json` covers all of them together. */
  name: string;
  kind: 'line' | 'text';
}

const fields: Partial<Record<ToolDisplay, EditField[]>> = {
  command: [{ name: 'command', kind: 'text' }],
  write: [
    { name: 'file_path', kind: 'line' },
    { name: 'content', kind: 'text' },
  ],
  edit: [
    { name: 'file_path', kind: 'line' },
    { name: 'old_string', kind: 'text' },
    { name: 'new_string', kind: 'text' },
  ],
  delete: [{ name: 'file_path', kind: 'line' }],
  fetch: [{ name: 'url', kind: 'line' }],
};

const ALL: EditField[] = [{ name: 'json', kind: 'text' }];

type Args = Record<string, unknown>;

/** The fields of a tool. An unknown tool, or one with non-string arguments, is edited as JSON. */
export function fieldsOf(display: ToolDisplay | undefined, args: Args): EditField[] {
  const own = display && fields[display];
  return own?.every(({ name }) => typeof args[name] === 'string') === true ? own : ALL;
}

/** The initial texts of the fields. */
export function valuesOf(list: readonly EditField[], args: Args): Record<string, string> {
  return Object.fromEntries(
    list.map(({ name }) => [name, name === 'json' ? JSON.stringify(args, null, 2) : String(args[name])]),
  );
}

/** The arguments after the edit; undefined if the JSON is not an object. Arguments without a field stay unchanged. */
export function editedArgs(
  list: readonly EditField[],
  args: Args,
  values: Record<string, string>,
): Args | undefined {
  if (list[0]?.name !== 'json') return { ...args, ...values };
  try {
    const parsed: unknown = JSON.parse(values.json ?? '');
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
