import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { english } from '../../src-renderer/i18n/english';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { isBelow } from '../base/is-below';
import type { Project } from '../contract/app';
import type { Approval, Decision } from '../contract/approvals';
import { MessageId, ThreadId } from '../contract/ids';
import { type AppError, fail, ok, type Result } from '../contract/result';
import { optional } from '../contract/shared/optional';
import { createHost, type Host } from '../host/host';
import type { LiveThread } from '../host/threads/live-thread';
import { checkDecision } from '../host/turns/answers';
import type { DesktopServices } from '../host/window/desktop-services';
import { PERSON_WAITS } from '../storage/database/write-lock';
import { dataDirOf } from './data-dir';
import { FAILED, FINISHED, INTERRUPTED, WAITING, WRONG_USAGE } from './exit-status';
import { failureOf } from './failure-of';
import { isLeftToPerson } from './left-to-person';
import { namedProject } from './named-project';
import type { CliDecision, CliOptions } from './options';
import { outcomeDiffs } from './outcome-diffs';
import { oneLine, output } from './output';
import { overtimeOf, ownTerminal } from './overtime';
import { failureText, printJson, printPlain, retryAdvice, routinesText, waitingText } from './print';
import { onEnding } from './signals';

/** No window: no dialogs, no browser, and keys only from the environment. */
const HEADLESS: DesktopServices = {
  chooseFolder: async () => null,
  reveal: () => undefined,
  openExternal: async () => false,
  keychain: null,
};

/** The person is in an editor. Whatever reaches a system dialog, they already chose there. */
const AT_EDITOR: DesktopServices = { ...HEADLESS, confirm: async () => true };

/** Milliseconds for the difference of one file. */
const DIFF_WITHIN = 10_000;

/** An empty HOME counts as unset. */
const homeFolder = () => homedir() || userInfo().homedir;

/** Runs what the options ask for on the host, and returns the exit status. `appFolder`: that of package.json and resources. */
export async function runAgent(options: CliOptions, appFolder: string): Promise<number> {
  const opened = await createHost({
    dataDir: dataDirOf(options.dataDir, { env: process.env, platform: process.platform, home: homeFolder() }),
    desktop: options.acp ? AT_EDITOR : HEADLESS,
    version: 'headless',
    env: process.env,
    warnings: [],
    sampleFolder: null,
    skillsFolder: join(appFolder, 'resources/skills'),
    onSlowData: () => {
      output.err('Deepdesk is checking its database. This may take a minute.\n');
      return () => undefined;
    },
    report: (where, error) => output.err(`${where}: ${oneLine(String(error))}\n`),
    ...optional({ baseUrl: options.baseUrl, mode: options.mode }),
    ...(options.acp ? {} : { overtime: overtimeOf(options, output, ownTerminal()) }),
  });
  if (!opened.ok) {
    output.err(`${oneLine(inEnglish(opened.error))}\n`);
    return FAILED;
  }
  const host = opened.value;
  for (const warning of host.storage.warnings) output.err(`${oneLine(english.sentences([warning]))}\n`);
  try {
    if (options.acp) {
      const { serveAcp } = await import('./acp');
      const ended = new Promise<number>((resolve) =>
        onEnding(() => {
          resolve(INTERRUPTED);
          // Otherwise the process would wait for the editor.
          process.stdin.destroy();
        }),
      );
      const served = serveAcp(host, options.model, join(appFolder, 'package.json'));
      return await Promise.race([served.then(() => FINISHED), ended]);
    }
    if (options.listRoutines) {
      const routines = host.routines.list();
      output.out(routinesText(routines, options.json));
      if (routines.length === 0 && !options.json)
        output.err('There are no routines. Create one in the app: Settings, Routines.\n');
      return FINISHED;
    }
    await host.storage.lock.wait(PERSON_WAITS);
    if (options.routine !== undefined) return await runRoutine(host, options.routine, options);
    const found = await findThread(host, options);
    if (!found.ok) {
      output.err(`${oneLine(inEnglish(found.error))}\n`);
      return statusOf(found.error);
    }
    return await runTurn(host, found.value, options);
  } finally {
    await host.close();
  }
}

/** The new thread, with the text to send there: the given text, or that of the message at the fork point. */
async function forkOf(host: Host, options: CliOptions): Promise<Result<LiveThread>> {
  const { fork } = options;
  const live = await inFolder(host, threadOf(host, fork?.thread ?? ''), options);
  if (!live.ok) return live;
  const said = live.value.state.messages.findLast(
    (one) => one.role === 'user' || (one.role === 'agent' && one.parentCallId === undefined),
  );
  const at = MessageId.safeParse(fork?.message ?? said?.id);
  if (!at.success) return fail('invalid', 'cli_no_message');
  const made = await host.fork(live.value.id, at.data);
  if (!made.ok) return made;
  if (options.prompt === '') options.prompt = made.value.draft;
  if (options.prompt === '') return fail('invalid', 'cli_no_prompt');
  if (!options.json) output.err(`Thread ${made.value.id}\n`);
  return withModel(host.turns.thread(made.value.id), options);
}

/** Errors: `not_found`, mostly for a misspelled id or without the data folder of the thread. */
function threadOf({ turns }: Host, id: string): Result<LiveThread> {
  const known = ThreadId.safeParse(id);
  const found = known.success ? turns.thread(known.data) : null;
  const isThere = found !== null && (found.ok || found.error.code !== 'thread_gone');
  return isThere ? found : fail('not_found', 'cli_no_thread', { id });
}

function withModel(live: Result<LiveThread>, { model }: CliOptions): Result<LiveThread> {
  if (live.ok && model !== undefined)
    live.value.emit({ type: 'thread.changed', thread: { ...live.value.state.thread, model } });
  return live;
}

/** A thread stays in its folder: with the name of another one, it is probably the wrong thread. */
async function inFolder(
  { projects }: Host,
  live: Result<LiveThread>,
  { folder }: CliOptions,
): Promise<Result<LiveThread>> {
  if (!live.ok || folder === undefined) return live;
  const project = projects.get(live.value.state.thread.projectId);
  if (!project.ok || project.value.folder === (await realpath(folder).catch(() => null))) return live;
  return fail('invalid', 'cli_thread_elsewhere', { folder: project.value.folder });
}

async function findThread(host: Host, options: CliOptions): Promise<Result<LiveThread>> {
  if (options.fork !== undefined) return forkOf(host, options);
  if (options.thread !== undefined) {
    const known = ThreadId.safeParse(options.thread);
    if (known.success && !host.storage.leases.isFree(known.data)) return fail('conflict', ELSEWHERE);
    return withModel(await inFolder(host, threadOf(host, options.thread), options), options);
  }
  const project = await projectOf(host, options);
  if (!project.ok) return project;
  const id = ThreadId.parse(randomUUID());
  const at = host.storage.now();
  const model = options.model ?? 'offline:guide';
  host.storage.threads.insert({
    id,
    projectId: project.value.id,
    title: '',
    model,
    createdAt: at,
    updatedAt: at,
  });
  if (!options.json) output.err(`Thread ${id}\n`);
  return host.turns.thread(id);
}

/** A project on another computer is only named: the person accepted its key in the app. */
async function projectOf(host: Host, { folder, project }: CliOptions): Promise<Result<Project>> {
  if (project === undefined) return host.projects.open(folder ?? '.');
  const named = namedProject(host.storage.projects.list(), project);
  return named.ok ? host.projects.ready(named.value.id) : named;
}

/** Runs a routine now, as its page does. */
async function runRoutine(host: Host, name: string, options: CliOptions): Promise<number> {
  const routine = host.routines.named(name);
  if (routine === null) {
    output.err(`${oneLine(inEnglish(fail('not_found', 'cli_no_routine', { name }).error))}\n`);
    return WRONG_USAGE;
  }
  let live: LiveThread | undefined;
  const watch = interruption(host, () => live);
  const started = await host.routines.run(routine.id, false, (threadId) => {
    const found = host.turns.thread(threadId);
    if (!found.ok) return;
    live = found.value;
    if (!options.json) output.err(`Thread ${threadId}\n`);
    follow(host, live, options);
  });
  if (started.ok && live !== undefined) return finish(host, live, options, watch);
  if (!started.ok) output.err(`${oneLine(inEnglish(started.error))}\n`);
  return FAILED;
}

async function runTurn(host: Host, live: LiveThread, options: CliOptions): Promise<number> {
  const watch = interruption(host, () => live);
  follow(host, live, options);
  const started = await start(host, live, options);
  if (!started.ok) {
    output.err(`${oneLine(inEnglish(started.error))}\n`);
    return statusOf(started.error);
  }
  return finish(host, live, options, watch);
}

/** The caller can do nothing about a full disk, or about a thread that another process runs. */
const statusOf = ({ kind, code }: AppError): number =>
  kind === 'storage' || code === ELSEWHERE ? FAILED : WRONG_USAGE;

const ELSEWHERE = 'thread_run_elsewhere';

/** Stops the thread when the command is interrupted. */
function interruption({ turns }: Host, thread: () => LiveThread | undefined): { isInterrupted(): boolean } {
  let isInterrupted = false;
  const stop = () => {
    // Interrupted twice: exit without waiting. Saved data is kept, and the turn resumes later as an interrupted one.
    if (isInterrupted) process.exit(INTERRUPTED);
    isInterrupted = true;
    const live = thread();
    if (live === undefined) process.exit(INTERRUPTED);
    turns.stop(live.id).catch((error: unknown) => output.err(`stop: ${oneLine(String(error))}\n`));
  };
  onEnding(stop);
  return { isInterrupted: () => isInterrupted };
}

/** Prints what happens in the thread. */
function follow({ hub }: Host, live: LiveThread, options: CliOptions): void {
  hub.onApp((event) => {
    if (event.type === 'warning.added') output.err(`${oneLine(english.sentences([event.warning.why]))}\n`);
  });
  hub.onThread(live.id, options.json ? printJson(output) : printPlain(output, () => live.state));
}

/** Waits for the end of the turn, and decides what waits as the options say. */
async function finish(
  { turns, storage, rehearsals }: Host,
  live: LiveThread,
  options: CliOptions,
  watch: ReturnType<typeof interruption>,
): Promise<number> {
  for (;;) {
    await turns.settled(live.id);
    if (watch.isInterrupted()) return INTERRUPTED;
    const { turn, approvals } = live.state;
    const failure = failureOf(live.state);
    if (failure !== null) {
      output.err(failureText(failure));
      if (!options.json) output.err(retryAdvice(live.id, options));
      return FAILED;
    }
    if (turn.phase !== 'waiting') return FINISHED;
    if (isLeftToPerson(options.approve, approvals)) {
      if (!options.json) {
        const diffs = approvals.map((approval) =>
          outcomeDiffs(approval.outcome?.rows ?? [], (path) =>
            rehearsals.diff(approval, path, AbortSignal.timeout(DIFF_WITHIN)),
          ),
        );
        output.err(waitingText(approvals, live.id, options, await Promise.all(diffs)));
      }
      return WAITING;
    }
    for (const approval of approvals) {
      await storage.lock.wait(PERSON_WAITS);
      const { id, digest } = approval;
      const decision = options.approve === 'all' ? allowing(approval) : refusing(approval);
      const decided = turns.decide(live.id, id, digest, decision);
      // A call that has to be approved again is decided in the next round.
      if (!decided.ok && decided.error.kind !== 'not_found') {
        output.err(`${oneLine(inEnglish(decided.error))}\n`);
        return FAILED;
      }
    }
  }
}

/** Binds a keep decision to the call's changes. Errors: `invalid` if there are none yet, or none at one of the paths. */
async function boundTo(
  { rehearsals }: Pick<Host, 'rehearsals'>,
  approval: Approval,
  decision: CliDecision,
): Promise<Result<Decision>> {
  if (decision.type !== 'keep') return ok(decision);
  const { outcome } = approval;
  if (outcome === undefined) return fail('invalid', 'cli_nothing_to_keep');
  // A misspelled path would discard everything.
  const changed = decision.paths === undefined ? null : await rehearsals.changedPaths(approval);
  const unknown = changed && decision.paths?.find((path) => !changed.some((one) => isBelow(one, path)));
  return typeof unknown === 'string'
    ? fail('invalid', 'cli_no_such_path', { path: unknown })
    : ok({ ...decision, manifest: outcome.manifest });
}

/** Keeps a call's changes, or runs it if it has not run or its layer lacked something. */
function allowing(approval: Approval): Decision {
  const { allowed, outcome, preview } = approval;
  if (preview.kind === 'questions') return refusing(approval);
  if (allowed.includes('approve')) return { type: 'approve' };
  if (allowed.includes('keep') && outcome !== undefined) return { type: 'keep', manifest: outcome.manifest };
  return { type: allowed.includes('again') ? 'again' : 'run' };
}

/** A question is declined with its reason: nobody is there to answer. */
const refusing = ({ preview }: Approval): Decision => ({
  type: 'reject',
  ...(preview.kind === 'questions' ? { message: NOBODY } : {}),
});

const NOBODY = 'Nobody is here to answer. Decide for yourself and say what you decided.';

/** Sends a prompt or decides pending approvals. With neither, it continues a turn that failed or was interrupted. */
async function start(host: Host, live: LiveThread, options: CliOptions): Promise<Result<unknown>> {
  const { turns } = host;
  const { approvals, turn } = live.state;
  if (options.decide.length > 0) {
    if (options.decide.length > approvals.length) {
      return fail('invalid', 'cli_decisions', { given: options.decide.length, waiting: approvals.length });
    }
    const waiting = [...approvals];
    const decisions: { approval: Approval; decision: Decision }[] = [];
    // All of them are checked before the first is made.
    for (const { call, decision } of options.decide) {
      const at = call === undefined ? 0 : waiting.findIndex(({ digest }) => digest.startsWith(call));
      const [approval] = at === -1 ? [] : waiting.splice(at, 1);
      if (!approval) {
        return fail('conflict', 'cli_no_such_call', { call: call ?? '', id: live.id });
      }
      const bound = await boundTo(host, approval, decision);
      if (!bound.ok) return bound;
      const fits = checkDecision(approval, bound.value);
      if (!fits.ok) return fits;
      decisions.push({ approval, decision: bound.value });
    }
    for (const { approval, decision } of decisions) {
      const decided = turns.decide(live.id, approval.id, approval.digest, decision);
      if (!decided.ok) return decided;
    }
    return ok({});
  }
  if (options.prompt === '') {
    if (turn.phase === 'waiting') return ok({});
    return turns.retry(live.id);
  }
  if (turn.phase === 'waiting') {
    return fail('conflict', 'cli_decide_first');
  }
  return turns.send(live.id, options.prompt);
}
