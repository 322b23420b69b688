import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { optional } from '../../contract/shared/optional';

/** Maximum marks per request; Anthropic refuses more. */
const MAX_MARKS = 4;

const MARK = { cache_control: { type: 'ephemeral' } } as const;

type Block = Exclude<BaseMessage['content'], string>[number];

/**
 * Marks a request to Anthropic so that repeated parts are read from its cache: after the tools, after the system prompt
 * (also before its last block, which holds changing memories), after the last message, and after the message before the last
 * answer. The latter ended the previous request, so it is certainly cached. `tools`: whether to mark the last tool. Existing
 * marks count.
 */
export function markForCache(
  messages: readonly BaseMessage[],
  { hasTools, marked = 0 }: { hasTools: boolean; marked?: number },
): { messages: BaseMessage[]; tools: boolean } {
  let left = MAX_MARKS - marked - messages.reduce((sum, message) => sum + marksIn(message), 0);
  const result = messages.map(forAnthropic);
  const take = (at: number, mark: (message: BaseMessage) => BaseMessage | null) => {
    const message = result[at];
    const done = left > 0 && message !== undefined && marksIn(message) === 0 ? mark(message) : null;
    if (done === null) return;
    result[at] = done;
    left -= marksIn(done);
  };

  // In order of savings, in case not all can be set.
  take(result.length - 1, markEnd);
  const lastAnswer = result.findLastIndex((message) => message.type === 'ai');
  const hasSystem = result[0]?.type === 'system';
  if (hasSystem) take(0, markEnd);
  if (lastAnswer > 0)
    take(lastAnswer - 1, (message) => (message.type === 'system' ? null : markEnd(message)));
  if (hasSystem) {
    const [system] = result;
    if (left > 0 && system !== undefined && marksIn(system) === 1) {
      const stable = markBeforeLast(system);
      if (stable !== null) {
        result[0] = stable;
        left -= 1;
      }
    }
  }
  return { messages: result, tools: hasTools && left > 0 };
}

/** A tool with its mark, in Anthropic's format. */
export const marked = <T extends object>(tool: T): T & typeof MARK => ({ ...tool, ...MARK });

function marksIn({ content }: BaseMessage): number {
  return typeof content === 'string' ? 0 : content.filter((block) => 'cache_control' in block).length;
}

/** The same message with a mark at its end; null if no block can be marked. */
function markEnd(message: BaseMessage): BaseMessage | null {
  const blocks = blocksOf(message);
  const last = blocks.at(-1);
  if (last === undefined || !canBearMark(last)) return null;
  return withBlocks(message, [...blocks.slice(0, -1), marked(last) as Block]);
}

function markBeforeLast(message: BaseMessage): BaseMessage | null {
  const blocks = blocksOf(message);
  const block = blocks.at(-2);
  if (block === undefined || !canBearMark(block)) return null;
  return withBlocks(message, [...blocks.slice(0, -2), marked(block) as Block, ...blocks.slice(-1)]);
}

function blocksOf({ content }: BaseMessage): Block[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** Anthropic refuses marks on empty text. Other blocks lose the mark on the way or belong to the model. */
const canBearMark = (block: Block): boolean =>
  (block.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '') ||
  block.type === 'tool_result' ||
  block.type === 'image_url';

function withBlocks(message: BaseMessage, content: Block[]): BaseMessage | null {
  const { id } = message;
  const fields = { content, ...optional({ id }) };
  if (SystemMessage.isInstance(message)) return new SystemMessage(fields);
  if (HumanMessage.isInstance(message)) return new HumanMessage(fields);
  if (!ToolMessage.isInstance(message)) return null;
  const { tool_call_id, name, status } = message;
  return new ToolMessage({
    ...fields,
    tool_call_id,
    ...optional({ name, status }),
  });
}

/** A text result as Anthropic's own block, which can report a failed call; the package leaves that out. */
function forAnthropic(message: BaseMessage): BaseMessage {
  if (!ToolMessage.isInstance(message) || typeof message.content !== 'string') return message;
  return new HumanMessage({
    content: [
      {
        type: 'tool_result',
        tool_use_id: message.tool_call_id,
        content: message.content,
        ...(message.status === 'error' ? { is_error: true } : {}),
      },
    ],
  });
}
