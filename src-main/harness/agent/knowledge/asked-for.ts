import { type BaseMessage, HumanMessage } from '@langchain/core/messages';

/** `/name` at the beginning of what the person wrote, as the window offers it. */
const NAMED = /^\/([\p{L}\p{Nd}][\p{L}\p{Nd}._-]*)(?=\s|$)/u;

const MARK = '[The person asks for ';

/** The note on a skill that the person asks for by `/name`. */
export const skillNote = (name: string, path: string): string =>
  `the skill ${name}: read ${path} first, unless you have read it in this conversation, and follow it for what they wrote after its name.]`;

/** The note on a sub-agent that the person asks for by `/name`. */
export const agentNote = (name: string): string =>
  `the sub-agent ${name}: pass what they wrote after its name to it with the task tool, subagent_type "${name}", and then tell them what it reports.]`;

/** By the content that it was found in; undefined: it names nothing. */
const named = new WeakMap<HumanMessage, { content: unknown; name: string | undefined }>();

/** Remembered: to put the text of a message together takes longer than all else here, at each request. */
function nameIn(message: HumanMessage): string | undefined {
  const known = named.get(message);
  if (known?.content === message.content) return known.name;
  const name = NAMED.exec(message.text)?.[1];
  named.set(message, { content: message.content, name });
  return name;
}

/**
 * The messages as a model is sent them: one of the person's that begins with `/name` says what is meant, where `noteOf`
 * knows the name. What is kept stays as they wrote it, and the same message always becomes the same, so that the
 * provider's cache holds.
 */
export function withAskedFor(
  messages: BaseMessage[],
  noteOf: (name: string) => string | undefined,
): BaseMessage[] {
  let changed = false;
  const noted = messages.map((message) => {
    if (!HumanMessage.isInstance(message)) return message;
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
