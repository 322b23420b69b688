import { factsOf } from '../error-facts';

/** Fields that an answer does not depend on. Strict servers refuse a whole request because of one that they do not know. */
const OPTIONAL = ['stream_options', 'parallel_tool_calls', 'prompt_cache_key', 'reasoning_content'] as const;
export type OptionalField = (typeof OPTIONAL)[number];

/** What a server's refusals have taught. */
export interface Lessons {
  refused: Set<OptionalField>;
  /** Every answer in the history must have reasoning, even an empty one. */
  needsReasoning: boolean;
  /** Ids of calls must have nine letters and digits. */
  shortIds: boolean;
  /** Apart from calls and results, messages of the user and the assistant must alternate. */
  alternates: boolean;
}

/** By address and model, because each turn makes a new model. */
const learned = new Map<string, Lessons>();

export function lessonsFor(address: string, model: string): Lessons {
  const key = `${address} ${model}`;
  const known = learned.get(key) ?? {
    refused: new Set(),
    needsReasoning: false,
    shortIds: false,
    alternates: false,
  };
  learned.set(key, known);
  return known;
}

/** Refusals of a request for its form, and what they teach. Templates of local models raise theirs with status 500. */
const FORMS: readonly [RegExp, 'needsReasoning' | 'shortIds' | 'alternates'][] = [
  [/reasoning_content\b.*must be passed back|missing .{0,3}reasoning_content/isu, 'needsReasoning'],
  [/tool call id .*length of 9/isu, 'shortIds'],
  [/roles must alternate|unexpected role .{0,3}user.{0,3} after role/iu, 'alternates'],
];

/** Whether the refusal says how to ask again. */
export function learnFrom(error: unknown, lessons: Lessons): boolean {
  const { status, text } = factsOf(error);
  if (status !== 400 && status !== 422 && status !== 500) return false;
  const form = FORMS.find(([words]) => words.test(text))?.[1];
  if (form !== undefined) {
    const isNew = !lessons[form];
    lessons[form] = true;
    return isNew;
  }
  const field = OPTIONAL.find((one) => text.includes(one) && !lessons.refused.has(one));
  if (status === 500 || field === undefined) return false;
  lessons.refused.add(field);
  return true;
}
