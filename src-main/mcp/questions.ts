import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { parseJson } from '../base/limited-json';
import type { CallProgress } from '../contract/conversation';
import { type FormField, formContent } from '../contract/form';
import { optional } from '../contract/shared/optional';
import { clearText, replaceUnseen } from '../contract/shared/unseen';
import { isSecretName } from './masks';

/** Maximum fields of a form, and options of one field. */
const MAX_FIELDS = 50;
const MAX_OPTIONS = 300;
/** UTF-16 units. */
const MAX_MESSAGE = 4_000;
const MAX_LABEL = 200;
const MAX_DESCRIPTION = 500;
const MAX_ANSWER = 500_000;

/** What a server asks the person during a call. */
export interface ServerQuestion {
  server: string;
  message: string;
  fields: FormField[];
  /** The page that the server wants the person to open instead of a form. */
  url: string | null;
  /** The server runs the call only after the page: the person opens it first, and says when they have finished. */
  step?: 'first' | 'finish';
  /** A field seems to be for a secret. */
  asksSecret: boolean;
}

/** The person's answer. `text`: the fields as a JSON object. */
export type QuestionAnswer = { action: 'accept'; text: string } | { action: 'decline' | 'cancel' };

/** What happens in a running call besides its answer. */
export interface CallEvents {
  progressed(progress: CallProgress): void;
  /** Waits for the person. Rejects only if `signal` aborts. */
  ask(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>;
}

const Options = z.array(z.object({ const: z.string(), title: z.string().optional() }));
const Field = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional().catch(undefined),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: Options.optional(),
  items: z.object({ enum: z.array(z.string()).optional(), anyOf: Options.optional() }).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});

/** The question in a request of a server; null if it cannot be shown. */
export function questionOf(server: string, params: ElicitRequest['params']): ServerQuestion | null {
  const message = cut(params.message, MAX_MESSAGE);
  if (params.mode === 'url') {
    const isWeb = URL.canParse(params.url) && /^https?:$/.test(new URL(params.url).protocol);
    return isWeb ? { server, message, fields: [], url: params.url, asksSecret: false } : null;
  }
  const { properties, required = [] } = params.requestedSchema;
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return null;
  const fields = entries.flatMap(([name, raw]) => {
    const read = Field.safeParse(raw);
    return read.success ? [fieldOf(name, read.data, required.includes(name))] : [];
  });
  const isWhole = fields.length === entries.length;
  if (!isWhole || fields.some(({ options }) => options.length > MAX_OPTIONS)) return null;
  const asksSecret = fields.some(
    ({ kind, name }, at) => kind === 'text' && [name, entries[at]?.[1].title ?? ''].some(namesSecret),
  );
  return { server, message, fields, url: null, asksSecret };
}

function fieldOf(name: string, field: z.infer<typeof Field>, required: boolean): FormField {
  const options = optionsOf(field);
  return {
    name,
    label: shown(field.title ?? name, MAX_LABEL),
    description: shown(field.description ?? '', MAX_DESCRIPTION),
    required,
    kind: kindOf(field, options.length > 0),
    options,
    ...optional({
      format: field.format,
      min: field.minimum ?? field.minLength ?? field.minItems,
      max: field.maximum ?? field.maxLength ?? field.maxItems,
      preset: field.default,
    }),
  };
}

function kindOf({ type }: z.infer<typeof Field>, hasOptions: boolean): FormField['kind'] {
  if (type === 'array') return 'choices';
  if (type !== 'string') return type;
  return hasOptions ? 'choice' : 'text';
}

function optionsOf({ oneOf, enum: plain, enumNames, items }: z.infer<typeof Field>): FormField['options'] {
  const titled = oneOf ?? items?.anyOf;
  const options =
    titled?.map((one) => ({ value: one.const, label: one.title ?? one.const })) ??
    (plain ?? items?.enum ?? []).map((value, index) => ({ value, label: enumNames?.[index] ?? value }));
  return options.map(({ value, label }) => ({ value, label: shown(label, MAX_LABEL) }));
}

/** Labels are part of sentences and lists, which nothing in them may reorder or hide. */
const shown = (text: string, most: number) => clearText(cut(text, most).replace(/\s+/g, ' '));
const namesSecret = (text: string) => isSecretName(replaceUnseen(text, () => ''));

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The answer for the server. One that does not fit the form is none. */
export function resultOf({ fields, url }: ServerQuestion, answer: QuestionAnswer): ElicitResult {
  if (answer.action !== 'accept') return { action: answer.action };
  if (url !== null) return { action: 'accept' };
  const read = parseJson(answer.text, { maxBytes: MAX_ANSWER });
  const values = 'value' in read ? read.value : undefined;
  if (values === null || typeof values !== 'object') return { action: 'cancel' };
  const { content, wrong } = formContent(fields, { ...values });
  return Object.keys(wrong).length === 0 ? { action: 'accept', content } : { action: 'cancel' };
}
