import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { partsOf } from '../message-parts';
import prompt from '../prompts/summarize.md?raw';
import { wholeMessages } from '../whole-messages';
import { tokensOfText } from './tokens';
import { transcriptOf } from './transcript';

/** UTF-16 units that one result or argument may have in the text to summarize. */
const EXCERPT = 4_000;
/** The same for a message of the person, whose requests and rules the summary has to keep. A longer one is mostly pasted. */
const EXCERPT_OF_PERSON = 20_000;
/**
 * Share of the model's window for one piece of the conversation. The rest is for the instructions, the last summary and the
 * answer.
 */
const PIECE = 0.5;
/** Share of the window that a summary may have at most. */
const SUMMARY_SHARE = 0.1;
/** Tokens assumed for a model with an unknown window. */
const UNKNOWN_WINDOW = 100_000;
/** How often the pieces are halved because the model found them too long. */
const HALVINGS = 3;
/** Requests for the summary of one piece, until one is not empty. */
const ATTEMPTS = 2;
/** In custom instructions: the place of the conversation. */
const CONVERSATION = '{conversation}';

/** Asks a model to summarize one piece of a conversation, and resolves with its answer. */
export type SummaryRequest = (
  model: BaseChatModel,
  messages: BaseMessage[],
  config: {
    signal?: AbortSignal;
    /** An empty list keeps the text of the summary out of the run's stream. */
    callbacks?: [];
  },
) => Promise<unknown>;

export interface SummarizeOptions {
  model: BaseChatModel;
  messages: readonly BaseMessage[];
  /** The summary of the messages before these. */
  previous: string | undefined;
  /** Tokens; undefined if unknown. */
  window: number | undefined;
  /** Replaces the default instructions. If it contains `{conversation}`, it is the whole request. */
  instructions?: string;
  isContextOverflow: (error: unknown) => boolean;
  /** Called with each answer of the model, to count its cost. */
  onAnswer?: (answer: AIMessage) => void;
  /** Replaces the direct request to the model. */
  invoke?: SummaryRequest;
  signal?: AbortSignal;
}

/**
 * Has the model summarize the messages: what was requested, decided, done, and is left to do. A history that does not fit
 * the model's window is summarized piece by piece, each with the summary so far. Null if the model answers nothing. Rejects
 * with the model's error or the signal's reason.
 */
export async function summarize(options: SummarizeOptions): Promise<string | null> {
  const window = options.window ?? UNKNOWN_WINDOW;
  const text = transcriptOf(options.messages, excerpt);
  let pieceLength = charactersFor(text, window * PIECE);
  for (let halvings = 0; ; halvings++) {
    try {
      return await inPieces(text, pieceLength, window, options);
    } catch (error) {
      if (!options.isContextOverflow(error) || halvings >= HALVINGS) throw error;
      pieceLength = Math.ceil(pieceLength / 2);
    }
  }
}

async function inPieces(
  text: string,
  length: number,
  window: number,
  options: SummarizeOptions,
): Promise<string | null> {
  const room = Math.floor(window * SUMMARY_SHARE);
  let summary = options.previous;
  for (let from = 0; from < text.length; from += length) {
    const request = requestFor(text.slice(from, from + length), summary, room, options.instructions);
    // Pieces and excerpts are cut anywhere.
    const said = await answerTo(wholeMessages(request), options);
    if (said === '') return null;
    summary = said.slice(0, charactersFor(said, room));
  }
  return summary ?? null;
}

function requestFor(
  piece: string,
  summary: string | undefined,
  room: number,
  instructions: string | undefined,
): BaseMessage[] {
  const before = summary === undefined ? '' : `<summary_so_far>\n${summary}\n</summary_so_far>\n\n`;
  if (instructions?.includes(CONVERSATION) === true)
    return [new HumanMessage(instructions.replaceAll(CONVERSATION, () => before + piece))];
  return [
    new SystemMessage(instructions ?? prompt.replaceAll('{words}', () => String(Math.floor(room * 0.7)))),
    new HumanMessage(`${before}<conversation>\n${piece}\n</conversation>`),
  ];
}

/** The text of the model's answer; empty if it has none after all attempts. */
async function answerTo(request: BaseMessage[], options: SummarizeOptions): Promise<string> {
  const invoke: SummaryRequest =
    options.invoke ?? ((model, messages, config) => model.invoke(messages, config));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    options.signal?.throwIfAborted();
    // Its stream is not part of the agent's answer, so nothing listens to it.
    const answer = await invoke(options.model, request, {
      callbacks: [],
      ...optional({ signal: options.signal }),
    });
    if (!AIMessage.isInstance(answer)) continue;
    options.onAnswer?.(answer);
    const said = partsOf(answer).text.trim();
    if (said !== '') return said;
  }
  return '';
}

/** How many characters of a text make up so many tokens, given its script. */
function charactersFor(text: string, tokens: number): number {
  const perToken = text.length / Math.max(1, tokensOfText(text));
  return Math.max(200, Math.floor(tokens * perToken));
}

function excerpt(text: string, of: BaseMessage): string {
  const length = HumanMessage.isInstance(of) ? EXCERPT_OF_PERSON : EXCERPT;
  return text.length <= length
    ? text
    : `${text.slice(0, length / 2)}\n... [${text.length - length} characters left out] ...\n${text.slice(-length / 2)}`;
}
