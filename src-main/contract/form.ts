import { z } from 'zod';

/** One field of a form that a server asks the person to fill in. */
export const FormField = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  required: z.boolean(),
  kind: z.enum(['text', 'number', 'integer', 'boolean', 'choice', 'choices']),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  /** For `choice` and `choices`. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  /** Limits of a number, of the length of a text, or of the number of choices. */
  min: z.number().optional(),
  max: z.number().optional(),
  preset: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
export type FormField = z.infer<typeof FormField>;

export type FormValue = string | number | boolean | string[];
export type FormContent = Record<string, FormValue>;
export type FormProblem = 'required' | 'number' | 'range' | 'format' | 'choice';

/** The values in the types of their fields, and what is wrong with the others. Empty optional fields are left out. */
export function formContent(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
): { content: FormContent; wrong: Partial<Record<string, FormProblem>> } {
  const content: FormContent = {};
  const wrong: Partial<Record<string, FormProblem>> = {};
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) {
      if (field.required) wrong[field.name] = 'required';
      continue;
    }
    const read = READERS[field.kind](field, value);
    if ('problem' in read) wrong[field.name] = read.problem;
    else content[field.name] = read.value;
  }
  return { content, wrong };
}

type Read = { value: FormValue } | { problem: FormProblem };

const isWithin = ({ min = -Infinity, max = Infinity }: FormField, size: number) => size >= min && size <= max;

function numberOf(field: FormField, value: unknown): Read {
  const number = typeof value === 'string' ? Number(value.trim()) : value;
  const isNumber = typeof number === 'number' && Number.isFinite(number);
  if (!isNumber || (field.kind === 'integer' && !Number.isInteger(number))) return { problem: 'number' };
  return isWithin(field, number) ? { value: number } : { problem: 'range' };
}

const FORMATS: Record<NonNullable<FormField['format']>, (text: string) => boolean> = {
  email: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
};

const isOption = ({ options }: FormField, value: unknown): value is string =>
  options.some((option) => option.value === value);

const READERS: Record<FormField['kind'], (field: FormField, value: unknown) => Read> = {
  text: (field, value) => {
    if (typeof value !== 'string') return { problem: 'format' };
    if (!isWithin(field, value.length)) return { problem: 'range' };
    return field.format === undefined || FORMATS[field.format](value) ? { value } : { problem: 'format' };
  },
  number: numberOf,
  integer: numberOf,
  boolean: (_field, value) => (typeof value === 'boolean' ? { value } : { problem: 'choice' }),
  choice: (field, value) => (isOption(field, value) ? { value } : { problem: 'choice' }),
  choices: (field, value) => {
    if (!Array.isArray(value)) return { problem: 'choice' };
    const chosen = value.filter((one) => isOption(field, one));
    if (chosen.length < value.length) return { problem: 'choice' };
    return isWithin(field, chosen.length) ? { value: chosen } : { problem: 'range' };
  },
};
