import { inEnglish } from '../../../../src-renderer/i18n/errors';
import type {
  AgentMessage,
  Message,
  ThreadState,
  ToolCall,
  UserMessage,
} from '../../../contract/conversation';

/** The parts of an exported thread in reading order. Sub-agents follow the call that started them. */
export type Part =
  | { kind: 'user'; at: number; text: string }
  | { kind: 'agent'; at: number; text: string; reasoning: string; depth: number }
  | { kind: 'call'; call: ToolCall; depth: number }
  | { kind: 'note'; at: number; text: string };

/** No agent nests deeper; more is a loop in a damaged file. */
const MAX_DEPTH = 8;

/** The thread's messages as parts. */
export function partsOf(messages: readonly Message[]): Part[] {
  const nested = new Map<string, AgentMessage[]>();
  const own: Message[] = [];
  for (const message of messages) {
    const parent =
      message.role === 'agent' || message.role === 'compaction' ? message.parentCallId : undefined;
    if (parent === undefined) own.push(message);
    else if (message.role === 'agent') nested.set(parent, [...(nested.get(parent) ?? []), message]);
  }
  const parts: Part[] = [];
  const agent = (message: AgentMessage, depth: number) => {
    const { at, text, reasoning } = message;
    if (text !== '' || reasoning !== '') parts.push({ kind: 'agent', at, text, reasoning, depth });
    for (const call of message.calls) {
      parts.push({ kind: 'call', call, depth });
      if (depth < MAX_DEPTH) for (const inner of nested.get(call.callId) ?? []) agent(inner, depth + 1);
    }
  };
  for (const message of own) {
    switch (message.role) {
      case 'user':
        parts.push({ kind: 'user', at: message.at, text: saidWith(message) });
        break;
      case 'agent':
        agent(message, 0);
        break;
      case 'notice':
        parts.push({ kind: 'note', at: message.at, text: inEnglish(message.error) });
        break;
      case 'compaction':
        parts.push({ kind: 'note', at: message.at, text: `Compacted for the model:\n\n${message.summary}` });
        break;
      default:
        message satisfies never;
    }
  }
  return parts;
}

/** The person's message with the names of its attachments. */
function saidWith({ text, attachments = [] }: UserMessage): string {
  if (attachments.length === 0) return text;
  const names = `[Attached: ${attachments.map(({ name }) => name).join(', ')}]`;
  return text === '' ? names : `${text}\n\n${names}`;
}

/** A call on one line: its tool, its main argument, and its outcome. */
export function callLine({ name, args, status, exitCode, durationMs }: ToolCall): {
  name: string;
  object: string;
  state: string;
} {
  const main = args.command ?? args.file_path ?? args.path ?? args.pattern ?? args.description ?? '';
  const took = durationMs === undefined ? [] : [`${(durationMs / 1_000).toFixed(1)} s`];
  const exit = typeof exitCode === 'number' ? [`exit ${exitCode}`] : [];
  return {
    name,
    object: typeof main === 'string' ? main : '',
    state: [status, ...exit, ...took].join(', '),
  };
}

/** Date and time, independent of locale and time zone. */
export const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const titleOf = ({ thread }: Pick<ThreadState, 'thread'>) => thread.title || 'Thread';

/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu;
const MAX_NAME_LENGTH = 80;
/** Most systems limit names to 255 bytes, and a Chinese character takes three. */
const MAX_NAME_BYTES = 200;

/** A file name: the title without characters that file systems refuse, never cut inside a character. */
export function fileNameOf(title: string, ending: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/^[ .]+/u, '');
  const chars = [...plain].slice(0, MAX_NAME_LENGTH);
  while (Buffer.byteLength(chars.join('')) > MAX_NAME_BYTES) chars.pop();
  const name = chars.join('').replace(/[ .]+$/u, '');
  const [stem = ''] = name.split('.');
  return `${name === '' || DEVICE.test(stem) ? `Thread ${name}`.trim() : name}.${ending}`;
}
