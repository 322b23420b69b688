import { randomUUID } from 'node:crypto';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { type AnyBackend, type BackendFactory, resolveBackend } from '../../backends/adapt';
import type { WriteOptions } from '../../backends/protocol';
import { archiveMessages, HISTORY_FOLDER } from './archive';
import { type Budget, budgetFor, ceilingOf, correctionOf, isReached, kept, keptTokens } from './budget';
import { type Compaction, keptFrom } from './compaction';
import { ContextTooSmallError } from './context-too-small';
import { type ContextSize, cutPoint } from './cut-point';
import { type SummaryRequest, summarise } from './summarise';
import { tokensOfMessages } from './tokens';
import { fitInto, viewOf } from './view';

export interface SummarizationOptions {
  /** Summarises where a request brings no model of its own: for the tool. */
  model?: BaseChatModel;
  /** Where the compacted messages are kept in full. */
  backend: AnyBackend | BackendFactory;
  /** When to compact: one reached is enough. Default: 0.85 of the model's window, 170,000 tokens where it is not known. */
  trigger?: ContextSize | readonly ContextSize[];
  /** What stays. Default: 0.1 of the window, or 6 messages. */
  keep?: ContextSize;
  /** In place of our instructions for summaries. */
  summaryPrompt?: string;
  /** Default `/conversation_history`. */
  historyPathPrefix?: string;
  /** Folder of this agent's history below it; default: one of its own for each thread. */
  session?: string;
  /** Tokens of the model's window. Default: the model's own profile. */
  maxInputTokens?: (model: BaseChatModel) => number | undefined;
  /** True where a request was refused for its length. Default: errors that call themselves `ContextOverflowError`. */
  isContextOverflow?: (error: unknown) => boolean;
  /** Ids of messages that stay, word for word. */
  pinned?: () => ReadonlySet<string>;
  /** Compactions that the person undid: what they replaced is shown again, as far as it fits. */
  isUndone?: (id: string) => boolean;
  /** Those that were told of, by `onCompacted`, in earlier runs: what a run that broke off made is used, not recreated. */
  recorded?: () => readonly Compaction[];
  /** Offers the model `compact_conversation`. */
  tool?: boolean;
  onCompacting?: () => void;
  onCompacted?: (compaction: Compaction) => void;
  /** Each answer of the model while it summarises, for counting what it cost. */
  onAnswer?: (answer: AIMessage) => void;
  /** In place of asking the model for a summary directly. */
  invoke?: SummaryRequest;
  writeOptions?: WriteOptions;
}

/** A provider that refuses a request knows better: what may be sent shrinks by this at each refusal. */
const OVERFLOW_SHRINK = 0.7;
/** What stays of a refused request, where what usually stays is all that is left of it. */
const OVERFLOW_KEPT = 0.3;
/** Part of what is shown that must go for a summary to be worth it. */
const LEAST_GAIN = 0.2;

/** What the state of a thread says about its context. */
export interface ContextState {
  messages: BaseMessage[];
  _compactions?: Compaction[];
  _argumentsCut?: ArgumentsCut | undefined;
}

/** Messages before index `before` show only the beginning of long arguments; `total` messages there were then. */
export interface ArgumentsCut {
  before: number;
  total: number;
}

export interface ContextUpdate {
  _compactions?: Compaction[];
  _argumentsCut?: ArgumentsCut;
}

export interface Work {
  model: BaseChatModel;
  /** Tokens of prompt and tools. */
  fixed: number;
  signal?: AbortSignal | undefined;
}

interface Prepared {
  view: BaseMessage[];
  update: ContextUpdate;
}

/** What one agent's context is kept by. Holds nothing of a thread. */
export class ContextKeeper {
  /** Tokens of prompt and tools in the last request; the tool has no request of its own. */
  fixedTokens = 0;

  constructor(readonly options: SummarizationOptions) {}

  isContextOverflow(error: unknown): boolean {
    return (this.options.isContextOverflow ?? callsItselfOverflow)(error);
  }

  budgetOf(model: BaseChatModel): Budget {
    const { maxInputTokens = windowOf, trigger, keep } = this.options;
    return budgetFor(maxInputTokens(model), trigger, keep);
  }

  /** The messages to send, compacted if need be. Throws ContextTooSmallError where they cannot be made to fit. */
  async prepare(held: ContextState, work: Work): Promise<Prepared> {
    const budget = this.budgetOf(work.model);
    const { messages } = held;
    let compaction = this.current(held._compactions);
    let cut = held._argumentsCut;
    const update: Prepared['update'] = {};
    const correction = () => {
      const since = Math.max(compaction?.total ?? 0, cut?.total ?? 0);
      return correctionOf(messages, this.view(messages, compaction, cut, budget), since, work.fixed);
    };
    const factor = correction();
    const measure = (view: readonly BaseMessage[]) => (work.fixed + tokensOfMessages(view)) * factor;

    let view = this.view(messages, compaction, cut, budget);
    if (isReached(budget, measure(view), view.length)) {
      const keptAt = cutPoint(messages, keptFrom(messages, compaction), kept(budget));
      const shorter = { before: keptAt, total: messages.length };
      const shortView = this.view(messages, compaction, shorter, budget);
      // Only arguments that were cut for good reason: else the provider's cache is lost for nothing.
      if (tokensOfMessages(shortView) < tokensOfMessages(view)) {
        cut = shorter;
        update._argumentsCut = cut;
        view = shortView;
      }
      if (isReached(budget, measure(view), view.length)) {
        const made = await this.compact(held, work, { budget, compaction, cause: 'budget', cut });
        if (made !== null) {
          compaction = made;
          update._compactions = [made];
          view = this.view(messages, compaction, cut, budget);
        }
      }
    }
    const ceiling = ceilingOf(budget);
    if (ceiling === undefined) return { view, update };
    const fitted = fitInto(view, Math.floor(ceiling / factor) - work.fixed);
    if (!fitted.fits) throw new ContextTooSmallError(budget.window ?? 0);
    return { view: fitted.messages, update };
  }

  /**
   * Compactions that were made by a run that broke off before they were in the state, oldest first, archived again: a
   * step that fails leaves no files.
   */
  async recover(held: ContextState): Promise<Compaction[]> {
    const known = new Set(held._compactions?.map((one) => one.id));
    const lost = (this.options.recorded?.() ?? []).filter(
      (one) => !known.has(one.id) && isAbout(held.messages, one),
    );
    const recovered: Compaction[] = [];
    for (const one of lost) {
      const before = this.current([...(held._compactions ?? []), ...recovered]);
      const from = keptFrom(held.messages, before);
      const going = held.messages.slice(from, keptFrom(held.messages, one));
      const [folder, session, number] = archivePlace(one.archive);
      const archive =
        one.archive === null
          ? null
          : await archiveMessages(
              resolveBackend(this.options.backend),
              { folder, session, number, time: one.at },
              going,
              this.options.writeOptions,
            );
      recovered.push({ ...one, archive });
    }
    return recovered;
  }

  /** After a refusal: compacts what can be, and cuts the largest texts down to what is left. */
  async shrink(
    held: ContextState,
    work: Work,
    refusals: number,
    sent: readonly BaseMessage[],
  ): Promise<{ view: BaseMessage[]; compaction?: Compaction }> {
    const budget = this.budgetOf(work.model);
    const compaction = this.current(held._compactions);
    const cut = { before: held.messages.length, total: held.messages.length };
    const compact = (keep: { tokens: number } | { messages: number }) =>
      this.compact(held, work, { budget, compaction, cause: 'overflow', cut, keep });
    const usual = refusals === 0 ? await compact(kept(budget)) : null;
    const made = usual ?? (await compact({ tokens: tokensOfMessages(sent) * OVERFLOW_KEPT }));
    const view = this.view(held.messages, made ?? compaction, cut, budget);
    const room = Math.floor(tokensOfMessages(sent) * OVERFLOW_SHRINK);
    const fitted = fitInto(view, room);
    const gained = made !== null || tokensOfMessages(fitted.messages) < tokensOfMessages(sent);
    // With nothing left to leave out it is asked once more: behind a router another machine, with more room, may answer.
    if (!gained && refusals > 0) throw new ContextTooSmallError(budget.window ?? 0);
    return { view: fitted.messages, ...(made === null ? {} : { compaction: made }) };
  }

  /** Replaces everything but what is to be kept; null where there is nothing that could go. */
  async compact(
    held: ContextState,
    work: Work,
    how: {
      budget: Budget;
      compaction: Compaction | undefined;
      cause: Compaction['cause'];
      cut: ArgumentsCut | undefined;
      /** Default: what the budget says. */
      keep?: { tokens: number } | { messages: number };
    },
  ): Promise<Compaction | null> {
    const { messages } = held;
    const { budget, compaction } = how;
    const from = keptFrom(messages, compaction);
    const to = cutPoint(messages, from, how.keep ?? kept(budget));
    const going = messages.slice(from, to);
    const before = this.view(messages, compaction, how.cut, budget);
    // A summary has a size too: replacing a little by it would cost money and gain nothing.
    if (tokensOfMessages(going) < tokensOfMessages(before) * LEAST_GAIN) return null;
    this.options.onCompacting?.();
    const number = (held._compactions?.length ?? 0) + 1;
    const time = new Date().toISOString();
    const {
      historyPathPrefix: folder = HISTORY_FOLDER,
      summaryPrompt,
      onAnswer,
      invoke,
      writeOptions,
    } = this.options;
    const session =
      this.options.session ?? sessionOf(held._compactions) ?? `session_${randomUUID().slice(0, 8)}`;
    const archive = await archiveMessages(
      resolveBackend(this.options.backend),
      { folder, session, number, time },
      going,
      writeOptions,
    );
    const summary = await summarise({
      model: work.model,
      messages: going,
      previous: compaction?.summary,
      window: budget.window,
      isContextOverflow: (error) => this.isContextOverflow(error),
      ...optional({ instructions: summaryPrompt, onAnswer, invoke, signal: work.signal }),
    });
    const first = messages[to];
    const made: Compaction = {
      id: randomUUID(),
      at: time,
      keptFrom: to,
      ...optional({ keptFromId: first?.id }),
      total: messages.length,
      summary,
      archive,
      messages: going.length,
      tokensBefore: work.fixed + tokensOfMessages(before),
      tokensAfter: 0,
      cause: how.cause,
    };
    made.tokensAfter = work.fixed + tokensOfMessages(this.view(messages, made, how.cut, budget));
    this.options.onCompacted?.(made);
    return made;
  }

  /** The messages that would be sent now, not yet made to fit. */
  shown(held: ContextState, budget: Budget): BaseMessage[] {
    return this.view(held.messages, this.current(held._compactions), held._argumentsCut, budget);
  }

  current(compactions: readonly Compaction[] | undefined): Compaction | undefined {
    const { isUndone } = this.options;
    return compactions?.findLast((one) => !isUndone?.(one.id));
  }

  private view(
    messages: readonly BaseMessage[],
    compaction: Compaction | undefined,
    cut: { before: number } | undefined,
    budget: Budget,
  ): BaseMessage[] {
    return viewOf(messages, {
      compaction,
      argumentsCutBefore: cut?.before ?? 0,
      pinned: this.options.pinned?.() ?? NONE,
      keepTokens: keptTokens(budget.keep, budget.window),
    });
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Whether it was made of these messages, which another run may have left shorter. */
const isAbout = (messages: readonly BaseMessage[], compaction: Compaction): boolean =>
  compaction.keptFromId === undefined
    ? compaction.keptFrom <= messages.length
    : messages.some((message) => message.id === compaction.keptFromId);

/** Folder, session and number of an archive's path. */
function archivePlace(path: string | null): [folder: string, session: string, number: number] {
  const parts = (path ?? '').split('/');
  return [parts.slice(0, -2).join('/'), parts.at(-2) ?? '', Number.parseInt(parts.at(-1) ?? '0', 10)];
}

/** The folder that earlier compactions of the thread were kept in. */
function sessionOf(compactions: readonly Compaction[] | undefined): string | undefined {
  return compactions
    ?.findLast((one) => one.archive !== null)
    ?.archive?.split('/')
    .at(-2);
}

function windowOf(model: BaseChatModel): number | undefined {
  const profile: unknown = model.profile;
  const tokens = (profile as { maxInputTokens?: unknown } | undefined)?.maxInputTokens;
  return typeof tokens === 'number' ? tokens : undefined;
}

/** Looks along the causes, where wrappers put what they caught. */
function callsItselfOverflow(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++)
    if (at.name === 'ContextOverflowError') return true;
  return false;
}
