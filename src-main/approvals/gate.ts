import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isBelow } from '../base/is-below';
import { namesOfPath } from '../base/path-names';
import type { ApprovalMode, Rule } from '../contract/control';
import type { Approval, Attempt, Preview } from '../contract/conversation';
import { ruleText } from '../contract/rule-text';
import { optional } from '../contract/shared/optional';
import type { BackendProtocol } from '../harness/backends/protocol';
import type { PlacesOnDisk, ShellPlaces } from './bash/places';
import { readBehind } from './behind';
import type { GateCall } from './call';
import { type CommandJudgement, judgeCommand } from './command';
import { type Confinement, NOT_CONFINED, outsideReason, staysInFolder, whyAskedAllTheSame } from './confined';
import { classify, type Places } from './effects';
import { previewOf } from './preview';
import { allowedBy, forbiddenBy, letsRun } from './rules';

export type { GateCall } from './call';

/** What the person is asked, as the tool and its arguments stand now. */
export type Question = Pick<Approval, 'preview' | 'reason' | 'risk' | 'allowed' | 'digest' | 'changed'> & {
  /** Version of the file that the preview was made from: what is approved is a change to exactly that. */
  fileVersion?: string;
};

export type Verdict =
  | {
      verdict: 'allow';
      reason: string;
      outside: boolean;
      /** It stays inside the conversation but for looking into the folder. */
      looks?: boolean;
      /** The person's rule that lets it. */
      ruleId?: string;
      /**
       * A command that is to run in the sandbox; without this it runs as the person would run it. `read-only`: nobody
       * knows whether it only reads, so it sees the folder read-only. Where it could not do there all that it wanted, what
       * came of it is no result: judge the call again with `attempt`.
       */
      confined?: true | 'read-only';
      /** Of a command that runs read-only: exit code 1 is its answer, and no failure. */
      exitOneAnswers?: true;
      /** Of a command that runs read-only: it may fail without printing what it was refused. */
      hidesErrors?: true;
    }
  | { verdict: 'deny'; reason: string }
  | { verdict: 'ask'; question: Question };

/** What is known of a call from before it is judged. */
export interface CallPast {
  /**
   * It was begun and its result never saved, so nobody knows whether it took effect: everything that reaches outside the
   * thread is asked.
   */
  begunBefore?: boolean;
  /**
   * The person has answered a question about it. Their answer is to what they were shown, also where a rule or a mode
   * has let the call run by itself since: whatever is not denied is asked.
   */
  answered?: boolean;
  /** It ran in the read-only sandbox, which did not let it do all that it wanted. */
  attempt?: Attempt;
}

export interface Gate {
  /** Fails closed: what is not known to be harmless is asked. */
  judge(call: GateCall, signal: AbortSignal, past?: CallPast): Promise<Verdict>;
}

export interface GateOptions {
  places: Places;
  backend: BackendProtocol;
  timeoutSeconds: number;
  /** What a timeout of 0 stands for. Default 3,600. */
  maxTimeoutSeconds?: number;
  /** What the words of commands are measured against; null (default) where the shell is not one that can be read. */
  shell?: PlacesOnDisk | null;
  /** Looked at for each call, so that a tighter mode holds at once. Default `ask-risky`. */
  mode?: () => ApprovalMode;
  /** Names of the variables that commands are given: a decision holds for a command with just these. Default none. */
  environment?: readonly string[];
  /** Whether commands can be confined; looked at for each call. Default: they cannot. */
  confinement?: () => Confinement;
  /** The person's rules that hold in the thread; looked at for each call. Default none. */
  rules?: () => readonly Rule[];
  /** Names the folder on the disk, whatever its path: an answer is about a call in just this one. */
  folderIdentity?: () => Promise<string>;
}

const BEGUN_BEFORE =
  'It was started before, its result was lost, and it may have taken effect already. Allowing it runs it again.';
const PLAN =
  'plan mode: this project is read-only until the person changes that. Nothing ran. Keep reading, and say what you would do.';
const IN_SANDBOX =
  'It runs in the sandbox: it writes only in your folder, and reaches only the hosts that you allow.';
const IN_FOLDER = 'It changes a file in your folder, which you can undo.';
const READ_ONLY = 'It runs in the read-only sandbox, where it can change nothing and reaches no network.';
const TO_WRITE = 'Allowed, it runs with write access.';
const ASKS_ALL = 'This project has Deepdesk ask before everything.';
const OTHERWISE =
  'It did not run, and it will not run in another form either. Do it another way, or tell the person what to run.';

/**
 * Decides by what a call can touch: reading runs, scratch files and the plan are the agent's own, memories are written
 * with a visible undo, commands that only read the folder run, and whatever else changes something is asked. Unknown
 * tools are asked. The person's rules and mode come on top: what is forbidden stays so, whatever else allows it.
 */
export function createGate(options: GateOptions): Gate {
  const { places, backend, timeoutSeconds, maxTimeoutSeconds = 3_600, shell = null } = options;
  return {
    judge: async (call, signal, { begunBefore = false, answered = false, attempt } = {}) => {
      const mode = options.mode?.() ?? 'ask-risky';
      const rules = options.rules?.() ?? [];
      const confinement = options.confinement?.() ?? NOT_CONFINED;
      const isConfined = confinement.available && (confinement.wanted || mode === 'auto-sandbox');
      const confined = isConfined && call.tool === 'execute' ? { confined: true as const } : {};
      const outside = outsideReason(call);
      const effect = classify(call.tool, call.args, places);
      if (effect.kind === 'refused') return { verdict: 'deny', reason: effect.reason };
      const command = call.tool === 'execute' ? await judgeCommand(call.args, shell, rules) : null;
      if (command?.verdict === 'deny') return { verdict: 'deny', reason: `${command.reason} ${OTHERWISE}` };
      const parts = command?.parts ?? [];
      const paths = await pathsOf(call, backend);
      const forbidden = forbiddenBy(call, rules, { parts, paths, places });
      if (forbidden !== undefined) {
        const reason = `The person forbids it by the rule "${ruleText(forbidden.match)}". ${OTHERWISE}`;
        return { verdict: 'deny', reason };
      }

      const ask = async (reason: string, risk: Approval['risk']): Promise<Verdict> => {
        const cwd = shell?.cwd ?? places.folder;
        const [found, files, folder] = await Promise.all([
          previewOf(call, {
            backend,
            cwd,
            timeoutSeconds,
            maxTimeoutSeconds,
            signal,
            shell,
            parts,
            ruleFor: (part) => {
              const rule = shell === null ? undefined : letsRun(rules, part, shell.folder);
              return rule === undefined ? undefined : ruleText(rule.match);
            },
          }),
          readBehind(parts, shell),
          options.folderIdentity?.() ?? '',
        ]);
        if ('problem' in found)
          return { verdict: 'deny', reason: `${call.tool} was not run: ${found.problem}` };
        const { preview, fileVersion } = found;
        const shown: Preview =
          preview.kind !== 'command'
            ? preview
            : {
                ...preview,
                ...(files.length === 0 ? {} : { files }),
                ...optional({ attempt }),
                ...(confinement.available ? { outsideSandbox: true } : {}),
                ...(confinement.available && outside !== null ? { outsideReason: outside } : {}),
              };
        const question: Question = {
          preview: shown,
          reason: begunBefore ? BEGUN_BEFORE : reason,
          risk: begunBefore ? 'high' : risk,
          allowed: ['approve', 'edit', 'reject', 'respond'],
          digest: digestOf(call, cwd, fileVersion, {
            environment: call.tool === 'execute' ? [...(options.environment ?? [])].sort() : [],
            files: files.map(({ path, version }) => [path, version]),
            programs: parts.map(({ program }) => program ?? ''),
            paths,
            outside: call.tool === 'execute' && confinement.available,
            folder,
          }),
        };
        return {
          verdict: 'ask',
          question: fileVersion === undefined ? question : { ...question, fileVersion },
        };
      };

      const verdict = await judged();
      return verdict.verdict === 'allow' && answered ? ask(verdict.reason, 'low') : verdict;

      async function judged(): Promise<Verdict> {
        if (effect.kind === 'refused') return { verdict: 'deny', reason: effect.reason };
        switch (effect.kind) {
          case 'none': {
            const looks = looksIntoFolder(call, places);
            return mode === 'ask-all' && looks
              ? ask(`${ASKS_ALL} What is read is sent to the model.`, 'low')
              : {
                  verdict: 'allow',
                  reason: 'Reading changes nothing.',
                  outside: false,
                  ...(looks ? { looks } : {}),
                };
          }
          case 'scratch':
            return { verdict: 'allow', reason: 'It stays inside this thread.', outside: false };
          case 'memory':
            if (mode === 'plan') return { verdict: 'deny', reason: PLAN };
            if (begunBefore) return ask(BEGUN_BEFORE, 'high');
            if (mode === 'ask-all') return ask(`${ASKS_ALL} It changes a memory, which you can undo.`, 'low');
            return { verdict: 'allow', reason: 'Memories are written with an undo.', outside: true };
          case 'ask': {
            const { reason, risk } = command ?? effect;
            const isHarmless = command?.verdict === 'allow';
            const reading: Verdict | null =
              isConfined && !answered && command?.tryReadOnly === true && mayBeTried(command, rules)
                ? {
                    verdict: 'allow',
                    reason: READ_ONLY,
                    outside: true,
                    confined: 'read-only',
                    ...(command.exitOneAnswers ? { exitOneAnswers: true } : {}),
                    ...(command.hidesErrors ? { hidesErrors: true } : {}),
                  }
                : null;
            if (mode === 'plan' && !isHarmless) {
              if (attempt !== undefined)
                return { verdict: 'deny', reason: `${afterAttempt(attempt)} ${PLAN}` };
              return begunBefore || reading === null ? { verdict: 'deny', reason: PLAN } : reading;
            }
            if (begunBefore) return ask(BEGUN_BEFORE, 'high');
            if (outside !== null)
              return ask(`The agent wants to run it outside the sandbox. ${reason}`, higher(risk, 'medium'));
            if (mode === 'ask-all') return ask(isHarmless ? `${ASKS_ALL} ${reason}` : reason, risk);
            if (attempt !== undefined)
              return ask(`${afterAttempt(attempt)} ${TO_WRITE} ${reason}`, higher(risk, 'medium'));
            if (isHarmless) return { verdict: 'allow', reason, outside: true, ...confined };
            const rule =
              command === null ? fileOrToolRule(call, effect.risk, paths, rules) : command.rules[0];
            if (rule === undefined && mode === 'auto-sandbox') {
              if (command === null)
                return staysInFolder(paths, places) &&
                  (risk === 'low' || call.tool === 'delete') &&
                  (call.tool === 'delete' || !(await changesProgram(paths, shell)))
                  ? { verdict: 'allow', reason: IN_FOLDER, outside: true }
                  : ask(reason, risk);
              if (!confinement.available)
                return ask(
                  `${reason} There is no sandbox for it: ${confinement.reason ?? 'none was found'}`,
                  risk,
                );
              const why = whyAskedAllTheSame(command, shell);
              return why === null
                ? { verdict: 'allow', reason: `${IN_SANDBOX} ${reason}`, outside: true, ...confined }
                : (reading ?? ask(why, command.secret === null ? higher(risk, 'medium') : 'high'));
            }
            if (rule === undefined) return reading ?? ask(reason, risk);
            const texts = (command?.rules ?? [rule]).map(({ match }) => ruleText(match)).join(', ');
            return {
              verdict: 'allow',
              reason: `Allowed by your rule "${texts}".`,
              outside: true,
              ruleId: rule.id,
              // The agent may write there what the command runs.
              ...(mode === 'auto-sandbox' ? confined : {}),
            };
          }
          default:
            return effect satisfies never;
        }
      }
    },
  };

  /** A change of a file with a plain name, or a tool that Deepdesk does not know. */
  function fileOrToolRule(
    call: GateCall,
    risk: Approval['risk'],
    paths: readonly string[],
    rules: readonly Rule[],
  ): Rule | undefined {
    const isFileTool = paths.length > 0;
    return isFileTool && risk !== 'low' ? undefined : allowedBy(call, rules, { paths, places });
  }
}

/** Where it is not known which commands a line runs, one of them may be what a rule forbids. */
const mayBeTried = ({ understood, parts }: CommandJudgement, rules: readonly Rule[]): boolean =>
  (understood && parts.every(({ written }) => written !== undefined)) ||
  !rules.some(({ effect, match }) => effect === 'deny' && match.kind === 'command');

function afterAttempt({ refused, exitCode }: Attempt): string {
  const [first] = refused;
  if (first === undefined)
    return `It ran in the read-only sandbox first, where it failed with exit code ${exitCode ?? 'unknown'}.`;
  const { what, name } = first;
  if (what === 'write')
    return `It ran in the read-only sandbox first, where it tried to write ${name || 'files'}.`;
  if (what === 'read')
    return `It ran in the read-only sandbox first, where it was not shown ${name || 'everything'}.`;
  if (what === 'permission')
    return 'It ran in the read-only sandbox first, where it was refused a permission.';
  return `It ran in the read-only sandbox first, where it could not reach ${name || 'other computers'}.`;
}

/** Whether a file tool changes a program of the folder, which others may start. */
const changesProgram = async (paths: readonly string[], shell: ShellPlaces | null): Promise<boolean> => {
  if (shell === null) return false;
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return found.some((one) => one?.isFile() === true && (one.mode & 0o111) !== 0);
};

const RISKS: readonly Approval['risk'][] = ['low', 'medium', 'high'];
const higher = (a: Approval['risk'], b: Approval['risk']) => (RISKS.indexOf(a) > RISKS.indexOf(b) ? a : b);

/** The path that a file tool names, and where it leads with links followed; none for other tools. */
async function pathsOf(call: GateCall, backend: BackendProtocol): Promise<string[]> {
  const path = call.args.file_path;
  if (!/^(write_file|edit_file|delete)$/.test(call.tool) || typeof path !== 'string') return [];
  const real = (await backend.realPath?.(path).catch(() => path)) ?? path;
  return real === path ? [path] : [path, real];
}

/** Whether a tool that reads looks into the folder; jobs and what the conversation keeps are its own. */
function looksIntoFolder({ tool, args }: GateCall, { folder }: Places): boolean {
  if (tool === 'list_jobs' || tool === 'job_output') return false;
  const named = args.file_path ?? args.path ?? '/';
  if (typeof named !== 'string') return true;
  const path = `/${namesOfPath(named)?.join('/') ?? ''}`.toLowerCase();
  const root = folder.toLowerCase();
  return isBelow(path, root) || isBelow(root, path);
}

/**
 * SHA-256 (hex) over the tool, its arguments with sorted keys, the place, the version of the file, and whatever else a
 * decision is about.
 */
export function digestOf(
  call: GateCall,
  cwd: string,
  fileVersion: string | undefined,
  facts: Record<string, unknown> = {},
): string {
  const bound = { ...facts, tool: call.tool, args: call.args, cwd, fileVersion: fileVersion ?? null };
  return createHash('sha256').update(canonical(bound)).digest('hex');
}

/** JSON with sorted keys, so that equal values have equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
