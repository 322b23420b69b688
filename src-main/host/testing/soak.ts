import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { randomFrom } from '../../base/testing/random';
import type { Approval, Decision } from '../../contract/approvals';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { allowing } from './allowing';
import { ChildHost, type StartedHost } from './child-host';
import { type Kill, Killer, plannedKills } from './soak-kills';
import { type SoakModel, startSoakModel } from './soak-model';
import { answersOf, decisionOn, EDITED, stepName, TURN } from './soak-plan';

export interface SoakOptions {
  /** Made by `bundleHost`. */
  bundle: string;
  /** An empty folder for the run. */
  place: string;
  /** Model answers, including those of sub-agents; a few more are used to end with a whole turn. */
  steps: number;
  kills: number;
  seed: number;
  /** Tokens of the model's context window. */
  window: number;
}

export interface SoakResult {
  threadId: ThreadId;
  /** Steps of the thread's own agent. */
  rootSteps: number;
  mount: string;
  folder: string;
  file: string;
  dataDir: string;
  model: SoakModel;
  /** The final state in the window, and the state that a new window gets. */
  state: ThreadState;
  kills: Kill[];
  approvals: number;
  /** Bytes used in the database after that many steps of the thread's own agent. */
  sizes: { steps: number; bytes: number }[];
  reports: string[];
  /** Milliseconds from each start after a kill until the thread was open again. */
  recoveries: number[];
  /** Milliseconds. */
  took: number;
}

const MODEL = 'openai-compatible:soak';
/** Maximum milliseconds of silence. A run that hangs reports its position. */
const PATIENCE = 60_000;
/** Number of size samples. */
const LOOKS = 8;
/** The provider refuses one in this many requests as too long, whatever our own count. */
const REFUSED_EVERY = 97;

/**
 * Runs one long thread on the real host in another process: turn after turn of a scripted model with a small context window,
 * while a person decides pending approvals and the process is killed at random moments. Returns the results to inspect.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { bundle, place, kills, seed, window } = options;
  const startedAt = performance.now();
  const dataDir = join(place, 'data');
  const folder = join(place, 'folder');
  mkdirSync(join(folder, 'out'), { recursive: true });
  const lines = Array.from({ length: 4_000 }, (_, n) => `${n} is a line of a file that was there before`);
  writeFileSync(join(folder, 'long.txt'), `${lines.join('\n')}\n`);
  const file = join(dataDir, 'deepdesk.db');

  let turns = 1;
  while (answersOf(turns * TURN) < options.steps) turns++;
  const rootSteps = turns * TURN;

  let host: StartedHost | undefined;
  const random = randomFrom(seed);
  const killer = new Killer(plannedKills(kills, rootSteps, random), rootSteps, () => host?.kill());
  let requests = 0;
  const model = await startSoakModel({
    places: { mount: folder },
    window,
    onAsked: (asked) => killer.asked(asked),
    refuses: (asked) => asked.kind === 'step' && ++requests % REFUSED_EVERY === 0,
  });

  const reports: string[] = [];
  const recoveries: number[] = [];
  const sizes: SoakResult['sizes'] = [];
  let approvals = 0;
  let threadId: ThreadId | undefined;
  const start = async (): Promise<StartedHost> => {
    const { server } = model;
    const since = performance.now();
    const isRestart = threadId !== undefined;
    const fresh = await ChildHost.start({ bundle, dataDir, folder, baseUrl: server.url });
    killer.restarted();
    host = fresh;
    if (threadId === undefined) {
      const { projectId } = fresh.project;
      const made = await fresh.client.call('thread.create', { projectId, model: MODEL });
      if (!made.ok) throw new Error(inEnglish(made.error));
      threadId = made.value.id;
      const override = { contextWindow: window };
      const told = await fresh.client.call('models.override', { model: MODEL, override });
      if (!told.ok) throw new Error(inEnglish(told.error));
    }
    await fresh.open(threadId);
    if (isRestart) recoveries.push(performance.now() - since);
    return fresh;
  };

  try {
    host = await start();
    while (threadId !== undefined) {
      const current: StartedHost = host;
      if (current.isGone) {
        reports.push(...current.reports);
        host = await start();
        continue;
      }
      const { state } = current;
      if (state === undefined) continue;
      switch (state.turn.phase) {
        case 'idle': {
          const done = lastStep(state) + 1;
          if (sizes.length <= (LOOKS * done) / rootSteps) sizes.push({ steps: done, bytes: sizeOf(file) });
          if (done >= rootSteps) {
            await current.close();
            reports.push(...current.reports);
            const mount = current.project.mount;
            return {
              threadId,
              rootSteps,
              mount,
              folder,
              file,
              dataDir,
              model,
              state,
              kills: killer.done,
              approvals,
              sizes,
              reports,
              recoveries,
              took: performance.now() - startedAt,
            };
          }
          const from = stepName(done).slice(-4);
          const text = `Do the steps from ${from} to ${stepName(done + TURN - 1).slice(-4)}.`;
          await current.client.call('thread.send', { threadId, text });
          await current.until(
            'the turn to begin',
            ({ turn }) => turn.phase !== 'idle' || undefined,
            PATIENCE,
          );
          break;
        }
        case 'running': {
          let tools = 0;
          await current.until(
            'the turn to come to rest',
            ({ turn, messages }) => {
              const running = runningCalls(messages);
              if (running > tools) killer.reached('tool');
              tools = running;
              return turn.phase !== 'running' || undefined;
            },
            PATIENCE,
          );
          break;
        }
        case 'waiting': {
          killer.reached('approval');
          for (const approval of state.approvals) {
            approvals++;
            await current.decide(approval, decisionFor(approval, folder));
            killer.reached('decided');
          }
          await current.until('the decisions to be applied', (now) => now !== state || undefined, PATIENCE);
          break;
        }
        default: {
          const { seq } = state;
          // A turn resumes after a kill; any other failure is a finding.
          if (state.turn.phase === 'failed')
            throw new Error(`step ${lastStep(state) + 1} failed: ${JSON.stringify(state.turn.error)}`);
          await current.client.call('thread.retry', { threadId });
          await current.until('the turn to continue', (now) => now.seq > seq || undefined, PATIENCE);
        }
      }
    }
    throw new Error('there is no thread');
  } finally {
    host?.kill();
    await model.server.close();
  }
}

/** How much more space a step takes in the second half than in the first; 1 if the file grows evenly. */
export function growthOf(sizes: SoakResult['sizes']): number {
  const [first, middle, last] = [sizes[0], sizes[sizes.length >> 1], sizes.at(-1)];
  if (!first || !middle || !last) throw new Error('no sizes were taken');
  const perStep = (from: typeof first, to: typeof first) => (to.bytes - from.bytes) / (to.steps - from.steps);
  return perStep(middle, last) / perStep(first, middle);
}

/** The person checks before they allow something that may have been done already. */
export function decisionFor(approval: Approval, folder: string): Decision {
  const { args, reason } = approval;
  const logged = /^echo (\S+) >> log\.txt$/.exec(String(args.command ?? ''))?.[1];
  if (logged !== undefined && reason.some(({ code }) => code === 'started_before')) {
    const log = join(folder, 'log.txt');
    const isThere = existsSync(log) && readFileSync(log, 'utf8').split('\n').includes(logged);
    if (isThere) return { type: 'respond', text: 'It was done already.' };
  }
  const path = String(args.file_path ?? '');
  switch (decisionOn(path)) {
    case 'approve':
      return allowing(approval);
    case 'reject':
      return { type: 'reject', message: 'Not this one.' };
    case 'edit':
      return { type: 'edit', args: { ...args, content: EDITED } };
  }
}

/** Number of the step that ended the last turn of the thread's own agent; -1 before the first. */
function lastStep({ messages }: ThreadState): number {
  for (const message of messages.toReversed()) {
    if (message.role !== 'agent' || message.parentCallId !== undefined) continue;
    const found = /^Step (\d{4})/.exec(message.text);
    if (found) return Number(found[1]);
  }
  return -1;
}

function runningCalls(messages: ThreadState['messages']): number {
  let running = 0;
  for (const message of messages.slice(-12))
    if (message.role === 'agent')
      running += message.calls.filter(({ status }) => status === 'running').length;
  return running;
}

/** Bytes in use, including the log. */
function sizeOf(file: string): number {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const db = new Database(file, { readonly: true, ...(nativeBinding ? { nativeBinding } : {}) });
  try {
    const number = (pragma: string) => Number(db.pragma(pragma, { simple: true }));
    return (number('page_count') - number('freelist_count')) * number('page_size');
  } finally {
    db.close();
  }
}
