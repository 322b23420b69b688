import { randomUUID } from 'node:crypto';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { type BackendFactory, resolveBackend } from '../../backends/backend-factory';
import type { WriteOptions } from '../../backends/protocol';
import type { AnyBackend } from '../../backends/published-protocol';
import { artifactFolder } from '../../backends/tree-facts';
import { archiveMessages, HISTORY_FOLDER } from './archive';
import { type Budget, budgetFor, ceilingOf, correctionOf, isReached, kept, keptTokens } from './budget';
import { type Compaction, isAbout, keptFrom, newestOf } from './compaction';
import { ContextTooSmallError } from './context-too-small';
import { type ContextSize, checkSize, cutPoint } from './cut-point';
import type { TruncateArgsSettings } from './summarization-defaults';
import { type SummaryRequest, summarize } from './summarize';
import { newestWithin, tokensOfMessages } from './tokens';
import { type ArgumentCut, cutBefore, DEFAULT_CUT, fitInto, viewOf } from './view';

/** Options of `createSummarizationMiddleware`. */
export interface SummarizationOptions {
  /** A chat model, or `provider:name`. Summarizes when a request has no model: for the tool. */
  model?: BaseChatModel | string;
  /** Where compacted messages are saved in full. */
  backend: AnyBackend | BackendFactory;
  /**
   * When to compact; reaching one trigger is enough. Default: 0.85 of the model's window, or 170,000 tokens if unknown. The
   * value 0 compacts before every request that gets shorter. An empty list compacts only after the provider refuses a request
   * as too long. Throws `ConfigurationError` for a size that no conversation can have.
   */
  trigger?: ContextSize | readonly ContextSize[];
  /** How much to keep. Default: 0.1 of the window, or 6 messages. */
  keep?: ContextSize;
  /** Replaces the default instructions for summaries. With `{conversation}` in it, it is the whole request. */
  summaryPrompt?: string;
  /** Tokens of the newest messages that a summary is made of. Default: all. */
  trimTokensToSummarize?: number;
  /** When to cut the long arguments of old write and edit calls. Default: before a summary. */
  truncateArgsSettings?: TruncateArgsSettings;
  /** Default `/conversation_history`, below the `artifactsRoot` of a composite. */
  historyPathPrefix?: string;
  /** This agent's folder below the prefix. Default: a new one for each thread. */
  session?: string;
  /** Tokens of the model's window. Default: the model's own profile. */
  maxInputTokens?: (model: BaseChatModel) => number | undefined;
  /** True if a request was refused because of its length. Default: errors named `ContextOverflowError`. */
  isContextOverflow?: (error: unknown) => boolean;
  /** Ids of messages to keep verbatim. */
  pinned?: () => ReadonlySet<string>;
  /** Whether the person undid a compaction. The messages it replaced are shown again as far as they fit. */
  isUndone?: (id: string) => boolean;
  /**
   * Compactions that `onCompacted` reported in earlier runs. If a run broke off, its compactions are reused, not recreated.
   */
  recorded?: () => readonly Compaction[];
  /** Offers `compact_conversation` to the model. */
  tool?: boolean;
  /** Called before the model is asked for a summary. */
  onCompacting?: () => void;
  /** Called with each summary that replaces messages from now on. */
  onCompacted?: (compaction: Compaction) => void;
  /** Called with each answer of the summarizing model, to count its cost. */
  onAnswer?: (answer: AIMessage) => void;
  /** Replaces the direct request to the model for a summary. */
  invoke?: SummaryRequest;
  /** For the files with compacted messages. */
  writeOptions?: WriteOptions;
}

/** The provider knows its limit better than the estimate: each refusal shrinks what may be sent by this factor. */
const OVERFLOW_SHRINK = 0.7;
/** Share of a refused request to keep when the usual amount would keep all of it. */
const OVERFLOW_KEPT = 0.3;
const DEFAULT_ARGUMENTS_KEPT: ContextSize = { type: 'messages', value: 20 };
/** Share of the view that must be removed to make a summary worthwhile. */
const LEAST_GAIN = 0.2;

/** The part of a thread's state that concerns its context. */
export interface ContextState {
  messages: BaseMessage[];
  _compactions?: Compaction[];
  _argumentsCut?: ArgumentsCut | undefined;
}

/** Messages before index `before` show only the start of long arguments. `total`: number of messages at that time. */
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
  /** Tokens of the prompt and the tools. */
  fixed: number;
  signal?: AbortSignal | undefined;
}

interface Prepared {
  view: BaseMessage[];
  update: ContextUpdate;
}

/** Manages one agent's context. Holds no thread state. */
export class ContextKeeper {
  /** Tokens of the prompt and the tools in the last request. The tool has no request to measure. */
  fixedTokens = 0;
  /** The model of the last request. */
  lastModel: BaseChatModel | undefined;
  private readonly argumentCut: ArgumentCut;

  constructor(readonly options: SummarizationOptions) {
    const { trigger, keep, truncateArgsSettings: cut } = options;
    for (const size of [trigger ?? []].flat()) checkSize('trigger', size);
    for (const size of [keep ?? []].flat()) checkSize('keep', size);
    for (const size of [cut?.trigger ?? [], cut?.keep ?? []].flat()) checkSize('truncateArgsSettings', size);
    const { maxLength = DEFAULT_CUT.maxLength, truncationText = DEFAULT_CUT.text } =
      options.truncateArgsSettings ?? {};
    this.argumentCut = options.truncateArgsSettings ? { maxLength, text: truncationText } : DEFAULT_CUT;
  }

  isContextOverflow(error: unknown): boolean {
    return (this.options.isContextOverflow ?? callsItselfOverflow)(error);
  }

  budgetOf(model: BaseChatModel): Budget {
    const { maxInputTokens = windowOf, trigger, keep } = this.options;
    return budgetFor(maxInputTokens(model), trigger, keep);
  }

  /** The messages to send, compacted if needed. Throws ContextTooSmallError if they cannot be made to fit. */
  async prepare(held: ContextState, work: Work): Promise<Prepared> {
    const budget = this.budgetOf(work.model);
    const { messages } = held;
    let compaction = this.current(held);
    let cut = held._argumentsCut;
    const update: Prepared['update'] = {};
    const correction = () => {
      const since = Math.max(compaction?.total ?? 0, cut?.total ?? 0);
      return correctionOf(messages, this.view(messages, compaction, cut, budget), since, work.fixed);
    };
    const factor = correction();
    const measure = (view: readonly BaseMessage[]) => (work.fixed + tokensOfMessages(view)) * factor;

    let view = this.view(messages, compaction, cut, budget);
    const asked = this.cutOnRequest(held, budget, measure(view), view.length);
    if (asked !== undefined) {
      cut = asked;
      update._argumentsCut = asked;
      view = this.view(messages, compaction, cut, budget);
    }
    if (isReached(budget, measure(view), view.length)) {
      const keptAt = cutPoint(messages, keptFrom(messages, compaction), kept(budget));
      const shorter = { before: keptAt, total: messages.length };
      const shortView = this.view(messages, compaction, shorter, budget);
      // Cut arguments only if it saves tokens. Otherwise the provider's cache would be lost for nothing.
      const mayCut = this.options.truncateArgsSettings === undefined;
      if (mayCut && tokensOfMessages(shortView) < tokensOfMessages(view)) {
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

  /** What `truncateArgsSettings` cut now, if that is more than before. */
  private cutOnRequest(
    { messages, _argumentsCut: before }: ContextState,
    budget: Budget,
    tokens: number,
    shown: number,
  ): ArgumentsCut | undefined {
    const { trigger, keep = DEFAULT_ARGUMENTS_KEPT } = this.options.truncateArgsSettings ?? {};
    if (trigger === undefined || !isReached({ ...budget, triggers: [trigger] }, tokens, shown)) return;
    const at = cutPoint(messages, 0, kept({ ...budget, keep }));
    return at > (before?.before ?? 0) ? { before: at, total: messages.length } : undefined;
  }

  /**
   * Compactions of a run that broke off before they reached the state, oldest first. They are archived again, because a
   * failed step leaves no files.
   */
  async recover(held: ContextState): Promise<Compaction[]> {
    const known = new Set(held._compactions?.map((one) => one.id));
    const lost = (this.options.recorded?.() ?? []).filter(
      (one) => !known.has(one.id) && isAbout(held.messages, one),
    );
    const recovered: Compaction[] = [];
    for (const one of lost) {
      const _compactions = [...(held._compactions ?? []), ...recovered];
      const before = this.current({ ...held, _compactions });
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

  /** After a refusal: compacts what it can and cuts the largest texts to the remaining size. */
  async shrink(
    held: ContextState,
    work: Work,
    refusals: number,
    sent: readonly BaseMessage[],
  ): Promise<{ view: BaseMessage[]; compaction?: Compaction }> {
    const budget = this.budgetOf(work.model);
    const compaction = this.current(held);
    const cut = { before: held.messages.length, total: held.messages.length };
    const compact = (keep: { tokens: number } | { messages: number }) =>
      this.compact(held, work, { budget, compaction, cause: 'overflow', cut, keep });
    const usual = refusals === 0 ? await compact(kept(budget)) : null;
    const made = usual ?? (await compact({ tokens: tokensOfMessages(sent) * OVERFLOW_KEPT }));
    const view = this.view(held.messages, made ?? compaction, cut, budget);
    const room = Math.floor(tokensOfMessages(sent) * OVERFLOW_SHRINK);
    const fitted = fitInto(view, room);
    const gained = made !== null || tokensOfMessages(fitted.messages) < tokensOfMessages(sent);
    // If nothing can be left out, retry once: a router may pick another machine with a larger limit.
    if (!gained && refusals > 0) throw new ContextTooSmallError(budget.window ?? 0);
    return { view: fitted.messages, ...(made === null ? {} : { compaction: made }) };
  }

  /** Replaces everything except what must be kept; null if nothing can be removed, or the summary is empty. */
  async compact(
    held: ContextState,
    work: Work,
    how: {
      budget: Budget;
      compaction: Compaction | undefined;
      cause: Compaction['cause'];
      cut: ArgumentsCut | undefined;
      /** Default: taken from the budget. */
      keep?: { tokens: number } | { messages: number };
    },
  ): Promise<Compaction | null> {
    const { messages } = held;
    const { budget, compaction } = how;
    const from = keptFrom(messages, compaction);
    const to = cutPoint(messages, from, how.keep ?? kept(budget));
    const going = messages.slice(from, to);
    const before = this.view(messages, compaction, how.cut, budget);
    // A summary has a size too. Replacing only a little would cost money and gain nothing.
    const staying = wordForWord(this.view(messages, { ...NO_SUMMARY, keptFrom: to }, how.cut, budget), true);
    const gained = wordForWord(before, compaction !== undefined) - staying;
    if (gained < tokensOfMessages(before) * LEAST_GAIN) return null;
    this.options.onCompacting?.();
    const number = (held._compactions?.length ?? 0) + 1;
    const time = new Date().toISOString();
    const { summaryPrompt, trimTokensToSummarize, onAnswer, invoke, writeOptions } = this.options;
    const backend = resolveBackend(this.options.backend);
    const folder = this.options.historyPathPrefix ?? artifactFolder(backend, HISTORY_FOLDER);
    const session =
      this.options.session ?? sessionOf(held._compactions) ?? `session_${randomUUID().slice(0, 8)}`;
    const summary = await summarize({
      model: work.model,
      messages: newestWithin(going, trimTokensToSummarize),
      previous: compaction?.summary,
      window: budget.window,
      isContextOverflow: (error) => this.isContextOverflow(error),
      ...optional({ instructions: summaryPrompt, onAnswer, invoke, signal: work.signal }),
    });
    if (summary === null) return null;
    const first = messages[to];
    const made: Compaction = {
      id: randomUUID(),
      at: time,
      keptFrom: to,
      ...optional({ keptFromId: first?.id }),
      total: messages.length,
      summary,
      archive: null,
      messages: going.length,
      tokensBefore: work.fixed + tokensOfMessages(before),
      tokensAfter: 0,
      cause: how.cause,
    };
    const sizeNow = () => work.fixed + tokensOfMessages(this.view(messages, made, how.cut, budget));
    // A summary that is longer than what it replaces frees nothing.
    if (sizeNow() >= made.tokensBefore) return null;
    made.archive = await archiveMessages(backend, { folder, session, number, time }, going, writeOptions);
    made.tokensAfter = sizeNow();
    this.options.onCompacted?.(made);
    return made;
  }

  /** The messages that would be sent now, before they are cut to fit. */
  shown(held: ContextState, budget: Budget): BaseMessage[] {
    return this.view(held.messages, this.current(held), held._argumentsCut, budget);
  }

  /** What the model of the last request would be shown now. */
  effective(held: ContextState): BaseMessage[] {
    const { trigger, keep } = this.options;
    const budget =
      this.lastModel === undefined ? budgetFor(undefined, trigger, keep) : this.budgetOf(this.lastModel);
    return this.shown(held, budget);
  }

  current({
    messages,
    _compactions: all,
  }: Pick<ContextState, 'messages' | '_compactions'>): Compaction | undefined {
    const { isUndone } = this.options;
    return newestOf(isUndone === undefined ? all : all?.filter((one) => !isUndone(one.id)), messages);
  }

  private view(
    messages: readonly BaseMessage[],
    compaction: Compaction | undefined,
    cut: ArgumentsCut | undefined,
    budget: Budget,
  ): BaseMessage[] {
    return viewOf(messages, {
      compaction,
      argumentsCutBefore: cutBefore(messages, cut),
      argumentCut: this.argumentCut,
      pinned: this.options.pinned?.() ?? NONE,
      keepTokens: keptTokens(budget.keep, budget.window),
    });
  }
}

const NONE: ReadonlySet<string> = new Set();
/** Stands for a summary that is not written yet. */
const NO_SUMMARY: Compaction = {
  id: '',
  at: '',
  keptFrom: 0,
  total: 0,
  summary: '',
  archive: null,
  messages: 0,
  tokensBefore: 0,
  tokensAfter: 0,
  cause: 'budget',
};

/** Tokens of a view without its summary, which is its first message. */
const wordForWord = (view: readonly BaseMessage[], hasSummary: boolean): number =>
  tokensOfMessages(hasSummary ? view.slice(1) : view);

/** Parses an archive's path into folder, session and number. */
function archivePlace(path: string | null): [folder: string, session: string, number: number] {
  const parts = (path ?? '').split('/');
  return [parts.slice(0, -2).join('/'), parts.at(-2) ?? '', Number.parseInt(parts.at(-1) ?? '0', 10)];
}

/** The folder that earlier compactions of the thread used. */
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

/** Follows the causes, since wrappers put the original error there. */
function callsItselfOverflow(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++)
    if (at.name === 'ContextOverflowError') return true;
  return false;
}
