import { AsyncLocalStorage } from 'node:async_hooks';

/** What the agent above is told of a sub-agent that the person stopped. */
export const STOPPED_BY_PERSON =
  'The person stopped this sub-agent before it finished, so there is no report. Its changes in the folder and its scratch files are kept. Do not start it again unless the person asks for it.';

/** Why a run's signal was aborted, where the person pressed Stop and the thread may go on later. */
export class StoppedByPerson extends Error {
  override readonly name = 'StoppedByPerson';

  constructor() {
    super('Stopped by the person.');
  }
}

/** The last line of what a command printed before the person stopped it. */
export const COMMAND_STOPPED = '[The person stopped this command before it finished]';

/** Where a call puts what it leaves when it is stopped. */
export interface Remains {
  /** Null: nothing. Resolves soon after the run's signal was aborted, or with the call. */
  text?: Promise<string | null>;
}

const remains = new AsyncLocalStorage<Remains>();

/** Runs a call that may leave something: LangChain gives a call up as soon as it is stopped, before it has ended. */
export const withRemains = <T>(slot: Remains, call: () => Promise<T>): Promise<T> => remains.run(slot, call);

/** What the call under way leaves, where somebody asks for it. */
export function leave(text: Promise<string | null>): void {
  const slot = remains.getStore();
  if (slot !== undefined) slot.text = text;
}
