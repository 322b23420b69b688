import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { BackendProtocol } from '../backends/protocol';
import type { ApprovalMode, Rule } from '../contract/control';
import type { Approval } from '../contract/conversation';
import { ruleText } from '../contract/rule-text';
import type { GateCall } from './call';
import { judgeCommand } from './command';
import { type Confinement, NOT_CONFINED, outsideReason, staysInFolder, whyAskedAllTheSame } from './confined';
import { classify, type Places } from './effects';
import { previewOf } from './preview';
import { allowedBy, forbiddenBy, letsRun } from './rules';
import { isBelow, type PlacesOnDisk } from './shell/places';

export type { GateCall } from './call';

/** What the person is asked, as the tool and its arguments stand now. */
export type Question = Pick<Approval, 'preview' | 'reason' | 'risk' | 'allowed' | 'digest'> & {
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
      /** A command that is to run in the sandbox; without this it runs as the person would run it. */
      confined?: true;
    }
  | { verdict: 'deny'; reason: string }
  | { verdict: 'ask'; question: Question };

export interface Gate {
  /**
   * Fails closed: what is not known to be harmless is asked. `begunBefore`: the call was begun and its
   * result never saved, so nobody knows whether it took effect; then everything that reaches outside the thread is asked.
   */
  judge(call: GateCall, signal: AbortSignal, begunBefore?: boolean): Promise<Verdict>;
}

export interface GateOptions {
  places: Places;
  backend: BackendProtocol;
  timeoutSeconds: number;
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
  /** Whatever is not denied is asked. For `holdingAnswers`. */
  asksAlways?: true;
}

const BEGUN_BEFORE =
  'It was begun before, its result was lost, and it may have taken effect already. Allowing it runs it again.';
const PLAN =
  'plan mode: this project is read-only until the person changes that. Nothing was run. Go on reading, and say what you would do.';
const IN_SANDBOX =
  'It runs in the sandbox: it writes only in your folder, and reaches only the hosts that you allow.';
const IN_FOLDER = 'It changes a file in your folder, which can be taken back.';
const ASKS_ALL = 'This project has Deepdesk ask before everything.';
const OTHERWISE =
  'It was not run, and it will not be in other words either. Do it another way, or tell the person what to run themselves.';

/**
 * Decides by what a call can touch: reading runs, scratch files and the plan are the agent's own, memories are written
 * with a visible undo, commands that only read the folder run, and whatever else changes something is asked. Unknown
 * tools are asked. The person's rules and mode come on top: what is forbidden stays so, whatever else allows it.
 */
export function createGate(options: GateOptions): Gate {
  const { places, backend, timeoutSeconds, shell = null } = options;
  return {
    judge: async (call, signal, begunBefore = false) => {
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
        const cwd = places.folder;
        const { preview, fileVersion } = await previewOf(call, {
          backend,
          cwd,
          timeoutSeconds,
          signal,
          shell,
          parts,
          ruleFor: (part) => {
            const rule = shell === null ? undefined : letsRun(rules, part, shell.folder);
            return rule === undefined ? undefined : ruleText(rule.match);
          },
        });
        const shown =
          preview.kind === 'command' && confinement.available
            ? { ...preview, outsideSandbox: true, ...(outside === null ? {} : { outsideReason: outside }) }
            : preview;
        const question: Question = {
          preview: shown,
          reason: begunBefore ? BEGUN_BEFORE : reason,
          risk: begunBefore ? 'high' : risk,
          allowed: ['approve', 'edit', 'reject', 'respond'],
          digest: digestOf(call, cwd, fileVersion, call.tool === 'execute' ? options.environment : []),
        };
        return {
          verdict: 'ask',
          question: fileVersion === undefined ? question : { ...question, fileVersion },
        };
      };

      const verdict = await judged();
      return verdict.verdict === 'allow' && options.asksAlways === true
        ? ask(verdict.reason, 'low')
        : verdict;

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
            if (mode === 'ask-all')
              return ask(`${ASKS_ALL} It changes a memory, and can be taken back.`, 'low');
            return { verdict: 'allow', reason: 'Memories are written with an undo.', outside: true };
          case 'ask': {
            const { reason, risk } = command ?? effect;
            const isHarmless = command?.verdict === 'allow';
            if (mode === 'plan' && !isHarmless) return { verdict: 'deny', reason: PLAN };
            if (begunBefore) return ask(BEGUN_BEFORE, 'high');
            if (outside !== null)
              return ask(`The agent wants to run it outside the sandbox. ${reason}`, higher(risk, 'medium'));
            if (mode === 'ask-all') return ask(isHarmless ? `${ASKS_ALL} ${reason}` : reason, risk);
            if (isHarmless) return { verdict: 'allow', reason, outside: true, ...confined };
            const rule =
              command === null ? fileOrToolRule(call, effect.risk, paths, rules) : command.rules[0];
            if (rule === undefined && mode === 'auto-sandbox') {
              if (command === null)
                return staysInFolder(paths, places) && (risk === 'low' || call.tool === 'delete')
                  ? { verdict: 'allow', reason: IN_FOLDER, outside: true }
                  : ask(reason, risk);
              if (!confinement.available)
                return ask(
                  `${reason} There is no sandbox for it: ${confinement.reason ?? 'none was found'}`,
                  risk,
                );
              const why = whyAskedAllTheSame(call, command, shell);
              return why === null
                ? { verdict: 'allow', reason: `${IN_SANDBOX} ${reason}`, outside: true, ...confined }
                : ask(why, higher(risk, 'medium'));
            }
            if (rule === undefined) return ask(reason, risk);
            const texts = (command?.rules ?? [rule]).map(({ match }) => ruleText(match)).join(', ');
            return {
              verdict: 'allow',
              reason: `Allowed by your rule "${texts}".`,
              outside: true,
              ruleId: rule.id,
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

/**
 * What the person answered to a question holds, and so does what they were shown with it, also where a rule or a mode
 * has let the call run by itself since: then `asking` judges it, and the answer is to that. What has been forbidden since
 * stays so.
 */
export function holdingAnswers(gate: Gate, asking: Gate, isAnswered: (callId: string) => boolean): Gate {
  return {
    judge: async (call, signal, begunBefore) => {
      const verdict = await gate.judge(call, signal, begunBefore);
      return verdict.verdict === 'allow' && isAnswered(call.callId)
        ? asking.judge(call, signal, begunBefore)
        : verdict;
    },
  };
}

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
  const path = posix.resolve('/', named.replaceAll('\\', '/')).toLowerCase();
  const root = folder.toLowerCase();
  return isBelow(path, root) || isBelow(root, path);
}

/**
 * SHA-256 (hex) over the tool, its arguments with sorted keys, the place, the version of the file and the names of the
 * variables that a command is given.
 */
export function digestOf(
  call: GateCall,
  cwd: string,
  fileVersion: string | undefined,
  environment: readonly string[] = [],
): string {
  const bound = { tool: call.tool, args: call.args, cwd, fileVersion: fileVersion ?? null };
  const names = [...environment].sort();
  const text = canonical(names.length === 0 ? bound : { ...bound, environment: names });
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with sorted keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
