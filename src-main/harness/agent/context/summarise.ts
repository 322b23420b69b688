import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { partsOf } from '../message-parts';
import prompt from '../prompts/summarise.md?raw';
import { tokensOfText } from './tokens';
import { transcriptOf } from './transcript';

/** UTF-16 units that one result or argument may take up in what is summarised. */
const EXCERPT = 4_000;
/** Part of the model's window for one piece of the conversation; the rest is for instructions, the last summary, the answer. */
const PIECE = 0.5;
/** Part of the window that a summary may take up at most. */
const SUMMARY_SHARE = 0.1;
/** Tokens assumed for a model whose window is not known. */
const UNKNOWN_WINDOW = 100_000;
/** Times that the pieces are made half as large because the model found them too long. */
const HALVINGS = 3;

/** Asks a model for a part of a summary. */
export type SummaryRequest = (
  model: BaseChatModel,
  messages: BaseMessage[],
  config: { signal?: AbortSignal; callbacks?: [] },
) => Promise<unknown>;

export interface SummariseOptions {
  model: BaseChatModel;
  messages: readonly BaseMessage[];
  /** What stood for the messages before these. */
  previous: string | undefined;
  /** Tokens; undefined where not known. */
  window: number | undefined;
  /** In place of our instructions. */
  instructions?: string;
  isContextOverflow: (error: unknown) => boolean;
  /** Each answer of the model, for counting what it cost. */
  onAnswer?: (answer: AIMessage) => void;
  /** In place of asking the model directly. */
  invoke?: SummaryRequest;
  signal?: AbortSignal;
}

/**
 * A summary of what the messages hold, by the model itself: what was asked, decided, done, and is left. Histories that do
 * not fit the model's window are summarised piece by piece, each with the summary so far. Rejects with what the model
 * throws, and with the signal's reason.
 */
export async function summarise(options: SummariseOptions): Promise<string> {
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
  options: SummariseOptions,
): Promise<string> {
  const room = Math.floor(window * SUMMARY_SHARE);
  const invoke: SummaryRequest =
    options.invoke ?? ((model, messages, config) => model.invoke(messages, config));
  let summary = options.previous;
  for (let from = 0; from < text.length; from += length) {
    options.signal?.throwIfAborted();
    const answer = await invoke(
      options.model,
      [
        new SystemMessage(
          options.instructions ?? prompt.replaceAll('{words}', () => String(Math.floor(room * 0.7))),
        ),
        new HumanMessage(
          [
            summary === undefined ? '' : `<summary_so_far>\n${summary}\n</summary_so_far>\n\n`,
            `<conversation>\n${text.slice(from, from + length)}\n</conversation>`,
          ].join(''),
        ),
      ],
      // What it streams is no answer of the agent's, so nobody listens.
      { callbacks: [], ...optional({ signal: options.signal }) },
    );
    if (!AIMessage.isInstance(answer)) continue;
    options.onAnswer?.(answer);
    const said = partsOf(answer).text.trim();
    if (said !== '') summary = said.slice(0, charactersFor(said, room));
  }
  return summary ?? '';
}

/** Characters of a text that make up so many tokens, by its own script. */
function charactersFor(text: string, tokens: number): number {
  const perToken = text.length / Math.max(1, tokensOfText(text));
  return Math.max(200, Math.floor(tokens * perToken));
}

const excerpt = (text: string): string =>
  text.length <= EXCERPT
    ? text
    : `${text.slice(0, EXCERPT / 2)}\n... [${text.length - EXCERPT} characters left out] ...\n${text.slice(-EXCERPT / 2)}`;
