import { type Hook, type HookedCall, matchesCall, pathWithin } from './hook';
import { answerOf, type HookAnswer, type HookFailure } from './hook-answer';
import type { HookExit } from './run-hook';

/** UTF-16 units of a result that a hook gets. */
const MAX_RESULT = 20_000;

export interface HookedResult {
  status: 'success' | 'error';
  text: string;
}

export interface HookRun {
  hook: Hook;
  /** Milliseconds. */
  durationMs: number;
  /** Why it denied the call; empty if it gave no reason. */
  denies?: string;
  failure?: HookFailure;
}

/** Why a call must not run: a hook denied it, or failed. */
export interface HookDenial {
  hook: string;
  reason: string;
  failure?: HookFailure;
}

interface AddedContext {
  hook: string;
  context: string;
}

/** The combined result of the hooks before a call. */
interface Judgement {
  denial: HookDenial | null;
  added: AddedContext[];
}

export interface ToolHooksOptions {
  /** The hooks that may run now. */
  hooks(): Promise<readonly Hook[]>;
  /** The project, as tools name it. */
  folder: string;
  /** What each hook gets in addition to the call. */
  about: Readonly<Record<string, string>>;
  /** `path`: that of the call, relative to the project. Rejects with the signal's reason. */
  run(
    hook: Hook,
    given: { input: string; callId: string | null; path: string | null },
    signal: AbortSignal,
  ): Promise<HookExit>;
  /** A text of a hook without secrets. `call` is null at the end of a turn. */
  redact?(text: string, call: HookedCall | null): string;
  /** Called after each run. */
  onRan(run: HookRun): void;
}

/**
 * The hooks around the calls of a run. A hook before a call can deny it and never allows one: it is asked in addition to
 * every other check. All hooks that match run one after another.
 */
export class ToolHooks {
  private readonly judged = new Map<string, { args: string; judgement: Promise<Judgement> }>();

  constructor(private readonly options: ToolHooksOptions) {}

  /** Null: no hook denies the call. The same call is judged once, even if it first waits for the person. */
  before(call: HookedCall, signal: AbortSignal): Promise<HookDenial | null> {
    const args = JSON.stringify(call.args);
    const known = this.judged.get(call.callId);
    const judgement = known?.args === args ? known.judgement : this.judge(call, signal);
    if (judgement !== known?.judgement) {
      this.judged.set(call.callId, { args, judgement });
      judgement.catch(() => this.judged.delete(call.callId));
    }
    return judgement.then(({ denial }) => denial);
  }

  private async judge(call: HookedCall, signal: AbortSignal): Promise<Judgement> {
    const added: AddedContext[] = [];
    for (const hook of await this.matching('before_tool', call)) {
      const { denies, failure, context } = await this.ran(hook, call, {}, signal);
      if (denies !== undefined) return { denial: { hook: hook.name, reason: denies }, added };
      if (failure !== undefined && hook.onError === 'deny')
        return { denial: { hook: hook.name, reason: '', failure }, added };
      if (context !== null) added.push({ hook: hook.name, context });
    }
    return { denial: null, added };
  }

  /** What the hooks before and after the call add to its result, each with its name. */
  async after(
    call: HookedCall,
    { status, text }: HookedResult,
    signal: AbortSignal,
  ): Promise<AddedContext[]> {
    const judged = await this.judged.get(call.callId)?.judgement;
    this.judged.delete(call.callId);
    const added = [...(judged?.added ?? [])];
    for (const hook of await this.matching('after_tool', call)) {
      const result = { status, text: text.slice(0, MAX_RESULT) };
      const { context } = await this.ran(hook, call, { result }, signal);
      if (context !== null) added.push({ hook: hook.name, context });
    }
    return added;
  }

  /** At the end of a turn. */
  async end(signal: AbortSignal): Promise<void> {
    const hooks = (await this.options.hooks()).filter(({ event }) => event === 'turn_end');
    for (const hook of hooks) await this.ran(hook, null, {}, signal);
  }

  private async matching(event: Hook['event'], call: HookedCall): Promise<Hook[]> {
    const hooks = await this.options.hooks();
    return hooks.filter((hook) => hook.event === event && matchesCall(hook, call, this.options.folder));
  }

  private async ran(
    hook: Hook,
    call: HookedCall | null,
    more: object,
    signal: AbortSignal,
  ): Promise<HookRun & { context: string | null }> {
    const { about, folder, run, onRan } = this.options;
    const asked = call && { call: call.callId, tool: call.tool, arguments: call.args, agent: call.agent };
    const input = `${JSON.stringify({ event: hook.event, hook: hook.name, ...about, ...asked, ...more })}\n`;
    const path = call && pathWithin(call.tool, call.args, folder);
    const startedAt = performance.now();
    const exit = await run(hook, { input, callId: call?.callId ?? null, path }, signal);
    const answer = this.withoutSecrets(answerOf(exit, hook), call);
    const durationMs = performance.now() - startedAt;
    if ('failure' in answer) {
      onRan({ hook, durationMs, failure: answer.failure });
      return { hook, durationMs, failure: answer.failure, context: null };
    }
    const denies = hook.event === 'before_tool' ? answer.denies : null;
    const told = { hook, durationMs, ...(denies === null ? {} : { denies }) };
    onRan(told);
    return { ...told, context: answer.context };
  }

  /** Everything below here is stored, shown or sent to the model. */
  private withoutSecrets(answer: HookAnswer, call: HookedCall | null): HookAnswer {
    const { redact = (text: string) => text } = this.options;
    const safe = (text: string | null) => (text === null ? null : redact(text, call));
    if (!('failure' in answer)) return { denies: safe(answer.denies), context: safe(answer.context) };
    const { failure } = answer;
    if (failure.kind === 'exit') return { failure: { ...failure, errors: redact(failure.errors, call) } };
    return failure.kind === 'not_started'
      ? { failure: { ...failure, problem: redact(failure.problem, call) } }
      : answer;
  }
}
