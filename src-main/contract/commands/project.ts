import { z } from 'zod';
import { Project } from '../app';
import { command, done, nothing } from '../command';
import { ApprovalMode } from '../control';
import { ProjectId } from '../ids';
import { MAX_PATH_RULES, PlaceRule } from '../places';
import { isVisibleName } from '../shared/shown-name';

/** A folder that another program asks to open; nothing has happened with it yet. */
export const FolderOffer = z.object({ id: z.string(), folder: z.string() });
export type FolderOffer = z.infer<typeof FolderOffer>;

/** Folders that the person opened. */
export const projectCommands = {
  /** Shows the system's folder dialog; `project` is null if the person cancels. A path never comes from the window. */
  'project.choose': command(nothing, z.object({ project: Project.nullable() })),
  /** Shows the folder in the system's file manager. */
  'project.reveal': command(z.strictObject({ projectId: ProjectId }), done),
  'project.remove': command(z.strictObject({ projectId: ProjectId }), done),
  /** Whether commands that run without asking are sandboxed; in `auto-sandbox`, they always are. */
  'project.setSandbox': command(z.strictObject({ projectId: ProjectId, on: z.boolean() }), done),
  /**
   * Replaces the rules about paths. They take effect immediately. Rules that allow more ask the person in a native dialog.
   * Errors: `invalid` with a pattern that cannot be used, `cancelled`.
   */
  'project.setPathRules': command(
    z.strictObject({ projectId: ProjectId, rules: z.array(PlaceRule).max(MAX_PATH_RULES) }),
    done,
  ),
  /** Offered folders that wait for the person's answer. */
  'project.offers': command(nothing, z.object({ offers: z.array(FolderOffer) })),
  /** Opens an offered folder or rejects the offer. A path never comes from the window. */
  'project.answerOffer': command(
    z.strictObject({ id: z.string().max(100), open: z.boolean() }),
    z.object({ project: Project.nullable() }),
  ),
  /** A stricter mode takes effect immediately, even in a running turn. `loosen` must be true if the new mode asks less. */
  'project.setMode': command(
    z.strictObject({ projectId: ProjectId, mode: ApprovalMode, loosen: z.boolean().optional() }),
    done,
  ),
  'project.rename': command(
    z.strictObject({ projectId: ProjectId, name: z.string().trim().max(100).refine(isVisibleName) }),
    Project,
  ),
  /** Moves a project before another one in the list, or to the end (null). */
  'project.move': command(z.strictObject({ projectId: ProjectId, before: ProjectId.nullable() }), done),
  /** Undoes `project.remove` while deleted threads are kept. */
  'project.restore': command(z.strictObject({ projectId: ProjectId }), Project),
  /** Checks whether the folder exists, or connects to the computer that it is on, and updates the list. */
  'project.look': command(z.strictObject({ projectId: ProjectId }), Project),
  /**
   * Shows the system's folder dialog to choose the folder's new location; null if the person cancels. The project keeps its
   * threads, rules and settings. Errors: those of opening a folder, and `conflict` if the agent is working there or the
   * folder belongs to another project.
   */
  'project.reattach': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ project: Project.nullable() }),
  ),
} as const;
