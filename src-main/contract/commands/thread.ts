import { z } from 'zod';
import { Project, ThreadSummary } from '../app';
import { ProjectId, ThreadId, ViewId } from '../ids';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const done = z.strictObject({});

/** The list of projects and threads, and the windows that show them. */
export const threadCommands = {
  /** Pins a thread or lets it go, archives it or brings it back; what is not given stays. */
  'thread.mark': command(
    z.strictObject({ threadId: ThreadId, pinned: z.boolean().optional(), archived: z.boolean().optional() }),
    ThreadSummary,
  ),
  /** A new thread with all of another one, which stays as it is. Nothing is sent. */
  'thread.duplicate': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
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
  /** Opens another window with that view. Answers the views of all windows. `unsupported` without windows. */
  'window.open': command(z.strictObject({ view: ViewId }), z.object({ views: z.array(z.string()) })),
  /** The person looks at this window now: what wants to be shown is shown here. Looks for missing folders too. */
  'window.front': command(z.strictObject({}), done),
} as const;
