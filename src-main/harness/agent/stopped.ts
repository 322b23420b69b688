import { AsyncLocalStorage } from 'node:async_hooks';

/** What the parent agent is told about a sub-agent that the person stopped. */
export const STOPPED_BY_PERSON =
  'The person stopped this sub-agent before it finished, so there is no report. Its changes in the folder and its scratch files are kept. Do not start it again unless the person asks for it.';

/** The abort reason of a run if the person pressed Stop and the thread may continue later. */
export class StoppedByPerson extends Error {
  override readonly name = 'StoppedByPerson';

  constructor() {
    super('Stopped by the person.');
  }
}

/** The last line of a command's output if the person stopped it. */
export const COMMAND_STOPPED = '[The person stopped this command before it finished]';

/** Where a call saves its partial output when it is stopped. */
export interface Remains {
  /** Null: nothing. Resolves soon after the run's signal is aborted, or with the call. */
  text?: Promise<string | null>;
}

const remains = new AsyncLocalStorage<Remains>();

/** Runs a call that may leave partial output. LangChain abandons a call as soon as it is stopped, before it has finished. */
export const withRemains = <T>(slot: Remains, call: () => Promise<T>): Promise<T> => remains.run(slot, call);

/** Sets the partial output of the current call, if anyone wants it. */
export function leave(text: Promise<string | null>): void {
  const slot = remains.getStore();
  if (slot !== undefined) slot.text = text;
}
