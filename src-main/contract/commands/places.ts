import { z } from 'zod';
import { Project } from '../app';
import { command, done } from '../command';
import { PlaceId, ProjectId } from '../ids';
import { PlaceCall, PlaceDraft, PlaceInfo, PlacePolicy, PlaceState, RemoteOptions } from '../places';
import { AppError } from '../result';

/** Null: none, or the stored one stays. Goes in and never comes out. */
const Secret = z.string().max(20_000).nullable();

/** What the person mounts in addition to the project folder. */
export const placesCommands = {
  /** All places, or those of one project with those of every project. Connects to nothing. */
  'places.list': command(
    z.strictObject({ projectId: ProjectId.nullable() }),
    z.object({
      places: z.array(PlaceInfo),
      /** Secrets are kept after Deepdesk exits. */
      keychain: z.boolean(),
    }),
  ),
  /** Opens the system's dialog for a folder. Null: the person chose none. */
  'places.chooseFolder': command(z.strictObject({}), z.object({ folder: z.string().nullable() })),
  /** The names of hosts in the person's OpenSSH configuration. */
  'places.sshHosts': command(z.strictObject({}), z.object({ hosts: z.array(z.string()) })),
  /** The module of a project, which the person can allow to run as a place. */
  'places.module': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ file: z.string(), hash: z.string(), text: z.string() }),
  ),
  /** Connects to a place as described, without keeping it. `id`: an existing place, whose stored secret is used. */
  'places.test': command(
    z.strictObject({ draft: PlaceDraft, secret: Secret, id: PlaceId.nullable() }),
    z.object({ state: PlaceState }),
  ),
  /** Connects to an existing place again. */
  'places.check': command(z.strictObject({ id: PlaceId }), z.object({ state: PlaceState })),
  /** Asks the person in a native dialog, then adds it. Errors: `conflict` if the path is taken, `cancelled`. */
  'places.add': command(z.strictObject({ draft: PlaceDraft, secret: Secret }), z.object({ id: PlaceId })),
  /** The same for a change of an existing place. */
  'places.edit': command(z.strictObject({ id: PlaceId, draft: PlaceDraft, secret: Secret }), done),
  /**
   * Opens a folder on another computer as a project, after the person agreed in native dialogs. `error`: why it cannot be
   * opened; null exactly if there is a project. Errors: `cancelled`.
   */
  'places.openProject': command(
    z.strictObject({ options: RemoteOptions, secret: Secret }),
    z.object({ project: Project.nullable(), error: AppError.nullable() }),
  ),
  /** Changes how the folder of a project is reached, and what the agent may do there. The folder stays the same. */
  'places.editProject': command(
    z.strictObject({ id: PlaceId, options: RemoteOptions, policy: PlacePolicy, secret: Secret }),
    done,
  ),
  /** The agent's latest calls in a place, or in a project with rules about paths. Newest first. */
  'places.calls': command(
    z.strictObject({ owner: z.union([PlaceId, ProjectId]) }),
    z.object({ calls: z.array(PlaceCall) }),
  ),
  /** Removes a place, not what is in it. Errors: `conflict` if it is the folder of a project. */
  'places.remove': command(z.strictObject({ id: PlaceId }), done),
  /** Brings back a removed place with its secret, for a day. */
  'places.restore': command(z.strictObject({ id: PlaceId }), done),
} as const;
