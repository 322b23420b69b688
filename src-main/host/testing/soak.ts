import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Approval, Decision, ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { ChildHost, type StartedHost } from './child-host';
import { type Kill, Killer, plannedKills, randomFrom } from './soak-kills';
import { type SoakModel, startSoakModel } from './soak-model';
import { answersOf, decisionOn, EDITED, stepName, TURN } from './soak-plan';

export interface SoakOptions {
  /** Made by `bundleHost`. */
  bundle: string;
  /** An empty folder of the run's own. */
  place: string;
  /** Answers of the model, those of sub-agents included; a few more are taken to end with a whole turn. */
  steps: number;
  kills: number;
  seed: number;
  /** Tokens of the model's window. */
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
  /** As the window has it at the end, and as a new one gets it. */
  state: ThreadState;
  kills: Kill[];
  approvals: number;
  /** Bytes of the database in use after so many steps of the thread's own agent. */
  sizes: { steps: number; bytes: number }[];
  reports: string[];
  /** Milliseconds. */
  took: number;
}

const MODEL = 'openai-compatible:soak';
/** Milliseconds in which something must be heard: a run that hangs is told where it stands. */
const PATIENCE = 60_000;
/** Sizes taken on the way. */
const LOOKS = 8;
/** Of so many requests one is refused as too long by the provider, whatever we think of it. */
const REFUSED_EVERY = 97;

/**
 * One long thread on the real host in another process: turn after turn of a scripted model with a small window, while a
 * person decides what is asked and the process is killed at random moments. Answers what there is to look at at the end.
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
  const sizes: SoakResult['sizes'] = [];
  let approvals = 0;
  let threadId: ThreadId | undefined;
  const start = async (): Promise<StartedHost> => {
    const { server } = model;
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
          await current.until('the decisions to be taken up', (now) => now !== state || undefined, PATIENCE);
          break;
        }
        default: {
          const { seq } = state;
          // A kill is taken up; anything else that ends a turn is a finding.
          if (state.turn.phase === 'failed')
            throw new Error(`step ${lastStep(state) + 1} failed: ${JSON.stringify(state.turn.error)}`);
          await current.client.call('thread.retry', { threadId });
          await current.until('the turn to go on', (now) => now.seq > seq || undefined, PATIENCE);
        }
      }
    }
    throw new Error('there is no thread');
  } finally {
    host?.kill();
    await model.server.close();
  }
}

/** How much more a step takes up in the second half than in the first; 1 where the file grows evenly. */
export function growthOf(sizes: SoakResult['sizes']): number {
  const [first, middle, last] = [sizes[0], sizes[sizes.length >> 1], sizes.at(-1)];
  if (!first || !middle || !last) throw new Error('no sizes were taken');
  const perStep = (from: typeof first, to: typeof first) => (to.bytes - from.bytes) / (to.steps - from.steps);
  return perStep(middle, last) / perStep(first, middle);
}

/** The person looks before they allow something that may have been done already. */
function decisionFor({ args, reason }: Approval, folder: string): Decision {
  const logged = /^echo (\S+) >> log\.txt$/.exec(String(args.command ?? ''))?.[1];
  if (logged !== undefined && reason.some(({ code }) => code === 'started_before')) {
    const log = join(folder, 'log.txt');
    const isThere = existsSync(log) && readFileSync(log, 'utf8').split('\n').includes(logged);
    if (isThere) return { type: 'respond', text: 'It was done already.' };
  }
  const path = String(args.file_path ?? '');
  switch (decisionOn(path)) {
    case 'approve':
      return { type: 'approve' };
    case 'reject':
      return { type: 'reject', message: 'Not this one.' };
    case 'edit':
      return { type: 'edit', args: { ...args, content: EDITED } };
  }
}

/** Number of the last step that the thread's own agent has finished a turn with; -1 before the first. */
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

/** Bytes in use, what is still in the log included. */
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
