import { z } from 'zod';
import { RemoteAgentDraft, RemoteAgentInfo, RemoteTask } from '../agents';
import { command, done } from '../command';
import { ProjectId, RemoteAgentId, ThreadId } from '../ids';

/** Null: none, or the stored one stays. Goes in and never comes out. */
const Secret = z.string().max(20_000).nullable();

const OneTask = z.strictObject({ threadId: ThreadId, taskId: z.string().min(1).max(200) });

/** Agents that work on a LangGraph server, and the tasks that they have. */
export const agentsCommands = {
  /** All remote agents, or those of one project with those of every project. Connects to nothing. */
  'agents.list': command(
    z.strictObject({ projectId: ProjectId.nullable() }),
    z.object({
      agents: z.array(RemoteAgentInfo),
      /** Secrets are kept after Deepdesk exits. */
      keychain: z.boolean(),
    }),
  ),
  /** Looks for the agent on its server, without keeping it. `id`: an existing one, whose stored key is used. */
  'agents.test': command(
    z.strictObject({ draft: RemoteAgentDraft, secret: Secret, id: RemoteAgentId.nullable() }),
    done,
  ),
  /** Asks the person in a native dialog, then adds it. Errors: `conflict` if the name is taken, `cancelled`. */
  'agents.add': command(
    z.strictObject({ draft: RemoteAgentDraft, secret: Secret }),
    z.object({ id: RemoteAgentId }),
  ),
  /** The same for a change of an existing one. */
  'agents.edit': command(
    z.strictObject({ id: RemoteAgentId, draft: RemoteAgentDraft, secret: Secret }),
    done,
  ),
  /** Removes it from Deepdesk. Its tasks on the server continue. */
  'agents.remove': command(z.strictObject({ id: RemoteAgentId }), done),
  /** Brings back a removed one with its key, for a day. */
  'agents.restore': command(z.strictObject({ id: RemoteAgentId }), done),
  /** The tasks of a thread, newest first. Connects to nothing. */
  'agents.tasks': command(z.strictObject({ threadId: ThreadId }), z.object({ tasks: z.array(RemoteTask) })),
  /** Asks the server about a task now. */
  'agents.check': command(OneTask, done),
  /** Gives new instructions to a task, even to one that has finished. It interrupts what the agent is doing. */
  'agents.steer': command(OneTask.extend({ text: z.string().trim().min(1).max(100_000) }), done),
  /** Stops a task on its server. */
  'agents.cancel': command(OneTask, done),
} as const;
