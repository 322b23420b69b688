import type { ApprovalMode, Rule } from '../contract/control';
import type { BackendProtocol } from '../harness/backends/protocol';
import { changesFiles, runsCommand } from '../harness/tools/catalogue';
import type { PlacesOnDisk } from './bash/places';
import type { GateCall } from './call';
import { type CommandJudgement, judgeCommand } from './command';
import { type Confinement, NOT_CONFINED, outsideReason } from './confined';
import { classify, type Effect, type Places } from './effects';
import type { CallPast } from './verdict';

/** All that is known of one call when it is judged: looked up once, so that every step goes by the same. */
export interface CallFacts {
  call: GateCall;
  past: CallPast;
  mode: ApprovalMode;
  rules: readonly Rule[];
  confinement: Confinement;
  /** What runs without a question is to run in the sandbox. */
  isConfined: boolean;
  /** What it can run in first is a throwaway layer. */
  rehearses: boolean;
  /** Why the agent wants it outside the sandbox; null where it does not. */
  outside: string | null;
  effect: Effect;
  /** Null for what is no command. */
  command: CommandJudgement | null;
  /** The simple commands of a line. */
  parts: CommandJudgement['parts'];
  /** The path that a file tool names, and where it leads with links followed. */
  paths: readonly string[];
}

/** Where the facts come from: what can change while a thread works is looked up for each call. */
export interface FactSources {
  places: Places;
  backend: BackendProtocol;
  /** What the words of commands are measured against; null (default) where the shell is not one that can be read. */
  shell?: PlacesOnDisk | null;
  /** Default `ask-risky`. */
  mode?: () => ApprovalMode;
  /** Whether commands can be confined. Default: they cannot. */
  confinement?: () => Confinement;
  /** Whether commands of the folder can run in a throwaway layer first. Default: they cannot. */
  rehearses?: () => Promise<boolean>;
  /** The person's rules that apply in the thread. Default none. */
  rules?: () => readonly Rule[];
}

export async function factsOf(
  call: GateCall,
  past: CallPast,
  { places, backend, shell = null, ...sources }: FactSources,
): Promise<CallFacts> {
  const mode = sources.mode?.() ?? 'ask-risky';
  const rules = sources.rules?.() ?? [];
  const confinement = sources.confinement?.() ?? NOT_CONFINED;
  const effect = classify(call.tool, call.args, places);
  const command = runsCommand(call.tool) ? await judgeCommand(call.args, shell, rules) : null;
  const isConfined = confinement.available && (confinement.wanted || mode === 'auto-sandbox');
  return {
    call,
    past,
    mode,
    rules,
    confinement,
    isConfined,
    rehearses: command?.mayRehearse === true && isConfined && (await sources.rehearses?.()) === true,
    outside: outsideReason(call),
    effect,
    command,
    parts: command?.parts ?? [],
    paths: effect.kind === 'refused' ? [] : await pathsOf(call, backend),
  };
}

/** The path that a file tool names, and where it leads with links followed; none for other tools. */
async function pathsOf(call: GateCall, backend: BackendProtocol): Promise<string[]> {
  const path = call.args.file_path;
  if (!changesFiles(call.tool) || typeof path !== 'string') return [];
  const real = (await backend.realPath?.(path).catch(() => path)) ?? path;
  return real === path ? [path] : [path, real];
}
