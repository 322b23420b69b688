import { z } from 'zod';
import { Project } from '../app';
import { command, done, nothing } from '../command';
import { ApprovalMode } from '../control';
import { ProjectId } from '../ids';

/** A folder that something outside asks to be opened; nothing was done with it yet. */
export const FolderOffer = z.object({ id: z.string(), folder: z.string() });
export type FolderOffer = z.infer<typeof FolderOffer>;

/** Folders that the person opened. */
export const projectCommands = {
  /** Shows the system's folder dialog; `project` is null when the person cancelled. A path never comes from the window. */
  'project.choose': command(nothing, z.object({ project: Project.nullable() })),
  /** Shows the folder in the system's file manager. */
  'project.reveal': command(z.strictObject({ projectId: ProjectId }), done),
  'project.remove': command(z.strictObject({ projectId: ProjectId }), done),
  /** Whether what runs without being asked about runs in the sandbox; `auto-sandbox` always does. */
  'project.setSandbox': command(z.strictObject({ projectId: ProjectId, on: z.boolean() }), done),
  /** Folders that wait for the person's word. */
  'project.offers': command(nothing, z.object({ offers: z.array(FolderOffer) })),
  /** Opens an offered folder, or drops the offer. A path never comes from the window. */
  'project.answerOffer': command(
    z.strictObject({ id: z.string().max(100), open: z.boolean() }),
    z.object({ project: Project.nullable() }),
  ),
  /** Tightening takes effect at once, also in a turn that runs. `loosen` must be true where the new mode asks less. */
  'project.setMode': command(
    z.strictObject({ projectId: ProjectId, mode: ApprovalMode, loosen: z.boolean().optional() }),
    done,
  ),
  'project.rename': command(
    z.strictObject({ projectId: ProjectId, name: z.string().trim().min(1).max(100) }),
    Project,
  ),
  /** Puts a project before another one in the list, or at its end (null). */
  'project.move': command(z.strictObject({ projectId: ProjectId, before: ProjectId.nullable() }), done),
  /** Takes `project.remove` back, within the time that deleted threads are kept. */
  'project.restore': command(z.strictObject({ projectId: ProjectId }), Project),
  /** Looks whether the folder is there, and says so in the list. */
  'project.look': command(z.strictObject({ projectId: ProjectId }), Project),
  /**
   * Shows the system's folder dialog for the place where the project's folder is now; null when the person cancelled.
   * Threads, rules and settings stay the project's. Errors: `conflict` where the agent is at work there or the folder is
   * another project's, and as opening a folder.
   */
  'project.reattach': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ project: Project.nullable() }),
  ),
} as const;
