import { SystemMessage } from '@langchain/core/messages';

/** A part of a system prompt. Null or undefined: none. */
export type Part = string | SystemMessage | null | undefined;

/** The parts of a system prompt, joined by blank lines. `base` goes between prefix and suffix. */
export interface SystemPromptConfig {
  /** First. A plain prompt is all prefix. */
  prefix?: Part;
  /** Takes the place of a profile's base; null: none at all. */
  base?: Part;
  /** Last, before what middleware adds. */
  suffix?: Part;
}

export type SystemPromptInput = string | SystemMessage | SystemPromptConfig;

/** The parts of a prompt. A plain prompt is all prefix. */
export const partsOfPrompt = (input: SystemPromptInput | undefined): SystemPromptConfig =>
  typeof input === 'object' && !SystemMessage.isInstance(input) ? input : { prefix: input };

/** Joins the parts into one prompt. Parts that are messages keep their blocks. Undefined if all are empty. */
export function systemPromptOf(input: SystemPromptInput | undefined): string | SystemMessage | undefined {
  const parts = partsOf(partsOfPrompt(input));
  const filled = parts.filter((part): part is string | SystemMessage => !isEmpty(part));
  if (filled.length === 0) return undefined;
  if (filled.every((part) => typeof part === 'string')) return filled.join('\n\n');
  const [only] = filled;
  if (filled.length === 1 && typeof only === 'object') return only;
  const blocks = filled.flatMap((part, index) => {
    const own = typeof part === 'string' ? [{ type: 'text', text: part }] : blocksOf(part);
    return index === 0 ? own : [{ type: 'text', text: '\n\n' }, ...own];
  });
  return new SystemMessage({ content: blocks as SystemMessage['content'] });
}

const partsOf = ({ prefix, base, suffix }: SystemPromptConfig): Part[] => [prefix, base, suffix];

const isEmpty = (part: Part): boolean =>
  part === undefined ||
  part === null ||
  (typeof part === 'string' ? part.trim() === '' : part.content.length === 0);

const blocksOf = (message: SystemMessage): object[] =>
  typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
