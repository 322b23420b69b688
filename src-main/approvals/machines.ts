import { because } from '../contract/shared/reasons';
import { runsCommand } from '../harness/tools/catalogue';
import type { GateCall } from './call';
import type { CommandJudgement } from './command';
import { type Confinement, NOT_CONFINED } from './confined';

/** A place on another machine that runs commands. */
export interface Machine {
  /** The place's prefix, such as `/server/`. */
  place: string;
  /** The machine as the person knows it. */
  name: string;
  /** The folder there that commands start in. */
  folder: string;
}

/** The machine that a command is for; null: this one. `home`: the place of a project on another machine. */
export function machineOf(
  { tool, args }: GateCall,
  machines: readonly Machine[],
  home: string | null,
): Machine | { unknown: string } | null {
  const place = args.place ?? home;
  if (!runsCommand(tool) || place === null) return null;
  return machines.find((one) => one.place === place) ?? { unknown: String(place) };
}

/**
 * A command for another machine always asks, and no rule lets it run: rules, files and programs are those of this machine.
 * What is forbidden here stays forbidden there.
 */
export function judgedFor({ name }: Machine, here: CommandJudgement, background: boolean): CommandJudgement {
  const none = { rules: [], understood: false, tryReadOnly: false, mayRehearse: false };
  if (here.verdict === 'deny') return { ...here, ...none };
  return {
    ...here,
    ...none,
    verdict: 'ask',
    risk: here.risk === 'high' ? 'high' : 'medium',
    reason: [because('runs_on', { machine: name }), ...(background ? [because('goes_on')] : [])],
  };
}

/** No sandbox of this machine confines it. */
export const unconfined = ({ name }: Pick<Machine, 'name'>): Confinement => ({
  ...NOT_CONFINED,
  reason: because('on_machine', { machine: name }),
});
