import type {
  Availability,
  Change,
  Choice,
  Conflict,
  Group,
  KeepJournal,
  KeepResult,
  Manifest,
  RecoveredKeep,
  RehearsalRun,
  RehearseOptions,
} from '../../../harness/sandbox/rehearsal';

/** Runs commands in throwaway layers and applies their changes. */
export interface RehearsalEngine {
  canRehearse(
    folder: string,
    layersFolder: string,
    sandbox: { kind: string | null; program?: string },
  ): Promise<Availability>;
  rehearse(options: RehearseOptions): Promise<RehearsalRun>;
  readManifest(layersFolder: string, layer: string): Promise<Manifest | null>;
  rowsOf(manifest: Manifest): (Change | Group)[];
  readChange(
    manifest: Manifest,
    path: string,
    maxBytes?: number,
  ): Promise<{ before?: Uint8Array; after?: Uint8Array; tooLarge?: true }>;
  conflictsIn(manifest: Manifest): Promise<Conflict[]>;
  keep(manifest: Manifest, choice?: Choice, journal?: KeepJournal): Promise<KeepResult>;
  discard(manifest: Pick<Manifest, 'place'>): Promise<void>;
  recoverKeeps(
    layersFolder: string,
    applied?: (keep: RecoveredKeep) => Promise<void>,
  ): Promise<RecoveredKeep[]>;
  sweep(layersFolder: string, keep: ReadonlySet<string>): Promise<void>;
}
