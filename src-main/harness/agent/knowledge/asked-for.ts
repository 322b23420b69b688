import { type BaseMessage, HumanMessage } from '@langchain/core/messages';

/** `/name` at the start of the person's message, as the composer offers it. */
const NAMED = /^\/([\p{L}\p{Nd}][\p{L}\p{Nd}._-]*)(?=\s|$)/u;

const MARK = '[The person asks for ';

/** The note on a skill that the person requests with `/name`. */
export const skillNote = (name: string, path: string): string =>
  `the skill ${name}: read ${path} first, unless you have read it in this conversation, and follow it for what they wrote after its name.]`;

/** The note on a sub-agent that the person requests with `/name`. */
export const agentNote = (name: string): string =>
  `the sub-agent ${name}: pass what they wrote after its name to it with the task tool, subagent_type "${name}", and then tell them what it reports.]`;

/** Keyed by message, with the content that was parsed; undefined: no name in it. */
const named = new WeakMap<HumanMessage, { content: unknown; name: string | undefined }>();

/** Cached: joining a message's text takes longer than everything else here, on each request. */
function nameIn(message: HumanMessage): string | undefined {
  const known = named.get(message);
  if (known?.content === message.content) return known.name;
  const name = NAMED.exec(message.text)?.[1];
  named.set(message, { content: message.content, name });
  return name;
}

/**
 * The messages to send to a model: if the person's message starts with `/name` and `noteOf` knows the name, a note explains
 * it. The saved message stays as written, and the same message always gets the same note, so that the provider's cache stays
 * valid.
 */
export function withAskedFor(
  messages: BaseMessage[],
  noteOf: (name: string) => string | undefined,
): BaseMessage[] {
  let changed = false;
  const noted = messages.map((message) => {
    // The type is looked up first: this runs over the whole thread for each request.
    if (message.type !== 'human' || !HumanMessage.isInstance(message)) return message;
    const name = nameIn(message);
    const note = name === undefined || message.text.includes(MARK) ? undefined : noteOf(name);
    if (note === undefined) return message;
    changed = true;
    const text = `\n\n${MARK}${note}`;
    const { content } = message;
    return new HumanMessage({
      ...message,
      content: typeof content === 'string' ? `${content}${text}` : [...content, { type: 'text', text }],
    });
  });
  return changed ? noted : messages;
}
