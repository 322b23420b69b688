import type { ApprovalMode, Rule } from '../contract/control';
import { because } from '../contract/shared/reasons';
import type { BackendProtocol } from '../harness';
import { changesFiles, runsCommand } from '../harness/tools/catalogue';
import type { PlacesOnDisk } from './bash/paths/places';
import type { GateCall } from './call';
import { type CommandJudgement, judgeCommand } from './command';
import { type Confinement, NOT_CONFINED, outsideReason } from './confined';
import { classify, type Effect, type Places } from './effects';
import { judgedFor, type Machine, machineOf, unconfined } from './machines';
import type { CallPast } from './verdict';

/** All facts about one call, looked up once so that every step of the judgment uses the same ones. */
export interface CallFacts {
  call: GateCall;
  past: CallPast;
  mode: ApprovalMode;
  rules: readonly Rule[];
  confinement: Confinement;
  /** Commands that run without asking run in the sandbox. */
  isConfined: boolean;
  /** It can first run in a throwaway layer. */
  rehearses: boolean;
  /** Why the agent wants to leave the sandbox; null if it does not. */
  outside: string | null;
  effect: Effect;
  /** Null for anything but a command. */
  command: CommandJudgement | null;
  /** The other machine that a command is for; null: this one. */
  machine: Machine | null;
  /** The simple commands of a line. */
  parts: CommandJudgement['parts'];
  /** The path that a file tool names, and its target with links followed. */
  paths: readonly string[];
  /** Files of the folder that the agent changed at that time or later without anybody being asked, the latest first. */
  autoApprovedSince: (time: number) => readonly string[];
}

/** The sources of the facts. Anything that can change while a thread works is looked up for each call. */
export interface FactSources {
  places: Places;
  backend: BackendProtocol;
  /** The reference points for the words of commands; null (default) if Deepdesk cannot read the shell. */
  shell?: PlacesOnDisk | null;
  /** Default `ask-risky`. */
  mode?: () => ApprovalMode;
  /** Whether commands can be sandboxed. Default: they cannot. */
  confinement?: () => Confinement;
  /** Whether the folder's commands can first run in a throwaway layer. Default: they cannot. */
  rehearses?: () => Promise<boolean>;
  /** The places on other machines that run commands. Default none. */
  machines?: () => readonly Machine[];
  /** The place for commands that name none. Null (default): this machine. */
  home?: string | null;
  /** The person's rules for the thread. Default none. */
  rules?: () => readonly Rule[];
  /** Files that the agent changed without anybody being asked. Default none. */
  autoApprovedSince?: CallFacts['autoApprovedSince'];
}

export async function factsOf(
  call: GateCall,
  past: CallPast,
  { places, backend, shell = null, ...sources }: FactSources,
): Promise<CallFacts> {
  const mode = sources.mode?.() ?? 'ask-risky';
  const rules = sources.rules?.() ?? [];
  const target = machineOf(call, sources.machines?.() ?? [], sources.home ?? null);
  const unknown = target !== null && 'unknown' in target ? target.unknown : null;
  const machine = target === null || 'unknown' in target ? null : target;
  const confinement = machine === null ? (sources.confinement?.() ?? NOT_CONFINED) : unconfined(machine);
  const effect: Effect =
    unknown === null
      ? classify(call.tool, call.args, places)
      : { kind: 'refused', reason: [because('no_such_machine', { place: unknown })] };
  const here = runsCommand(call.tool) ? await judgeCommand(call.args, shell, rules) : null;
  const command =
    here === null || machine === null ? here : judgedFor(machine, here, call.args.background === true);
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
    machine,
    parts: command?.parts ?? [],
    paths: effect.kind === 'refused' ? [] : await pathsOf(call, backend),
    autoApprovedSince: sources.autoApprovedSince ?? (() => []),
  };
}

/** The path that a file tool names, and its target with links followed; none for other tools. */
async function pathsOf(call: GateCall, backend: BackendProtocol): Promise<string[]> {
  const path = call.args.file_path;
  if (!changesFiles(call.tool) || typeof path !== 'string') return [];
  const real = (await backend.realPath?.(path).catch(() => path)) ?? path;
  return real === path ? [path] : [path, real];
}
