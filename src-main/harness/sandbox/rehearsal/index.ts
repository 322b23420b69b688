import type {
  Availability,
  Change,
  Choice,
  Conflict,
  Ended,
  Group,
  KeepJournal,
  KeepResult,
  Manifest,
  RecoveredKeep,
  RehearsalRun,
  RehearseOptions,
} from './shapes';

export * from './shapes';

const unavailable = (): never => {
  throw new Error('unavailable');
};

/** Whether commands of a folder can be rehearsed, by trying; remembered for the folder while the app runs. */
export async function canRehearse(
  _folder: string,
  _layersFolder: string,
  _sandbox: { kind: string | null; program?: string },
): Promise<Availability> {
  return { available: false, reason: 'failed' };
}

/** Runs a command in a layer over the folder and tells what it did. The folder is as it was; the layer stays. */
export const rehearse = (_options: RehearseOptions): Promise<RehearsalRun> => unavailable();

/** Runs a command for `rehearse` without a terminal. `environment` is all of it. */
export const inShell = (_options: {
  command: string;
  environment: Readonly<Record<string, string>>;
  onOutput?: (text: string) => void;
}): ((...args: Parameters<RehearseOptions['run']>) => Promise<Ended>) => unavailable();

/** What a layer holds, also after a restart; null where it is gone or was never read. */
export const readManifest = (_layersFolder: string, _layer: string): Promise<Manifest | null> =>
  unavailable();

/** The changes as rows: generated and ignored folders, and all folders where there are over 200, are one row each. */
export const rowsOf = (_manifest: Manifest): (Change | Group)[] => unavailable();

/** The contents of a file before and after, as far as it is a file and not larger than `maxBytes`. */
export const readChange = (
  _manifest: Manifest,
  _path: string,
  _maxBytes?: number,
): Promise<{ before?: Uint8Array; after?: Uint8Array; tooLarge?: true }> => unavailable();

/** The changes as they conflict now: the folder may have changed since they were read. */
export const conflictsIn = (_manifest: Manifest): Promise<Conflict[]> => unavailable();

/** Puts what was chosen into the folder: all of it or, where the process ends, what `recoverKeeps` makes of it. */
export const keep = (_manifest: Manifest, _choice?: Choice, _journal?: KeepJournal): Promise<KeepResult> =>
  unavailable();

/** Forgets a layer and all that it holds. */
export const discard = (_manifest: Pick<Manifest, 'place'>): Promise<void> => unavailable();

/** At the start, before anything else: finishes what was being kept, or takes back what was only prepared. */
export const recoverKeeps = (_layersFolder: string): Promise<RecoveredKeep[]> => unavailable();

/** Removes all layers but those named. */
export const sweep = (_layersFolder: string, _keep: ReadonlySet<string>): Promise<void> => unavailable();

/** Bytes on disk of all layers. */
export const sizeOfLayers = (_layersFolder: string): Promise<number> => unavailable();
