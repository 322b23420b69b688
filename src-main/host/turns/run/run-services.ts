import type { EngineApi } from '../../../changes';
import type { Approval } from '../../../contract/approvals';
import type { ApprovalMode } from '../../../contract/control';
import type { PageNetwork } from '../../../harness/tools/web/page-network';
import type { McpServers } from '../../../mcp/servers';
import type { Storage } from '../../../storage';
import type { TerminalSessions } from '../../../terminal/sessions';
import type { RemoteAgents } from '../../agents/remote-agents';
import type { RemoteTasks } from '../../agents/remote-tasks';
import type { Memories } from '../../memories/memories';
import type { MemoryUses } from '../../memories/memory-uses';
import type { Places } from '../../places/places';
import type { Sandboxes } from '../../project/access/sandboxes';
import type { SecretService } from '../../project/access/secrets';
import type { ChangeLog } from '../../project/changes/change-log';
import type { Hooks } from '../../project/hooks';
import type { SkillFolders } from '../../project/mounts';
import type { ProjectRegistry } from '../../project/projects';
import type { Rehearsals } from '../../project/rehearsals/rehearsals';
import type { ModelService } from '../../settings/model-service';
import type { ProfileService } from '../../settings/profiles';
import type { AttachmentStore } from '../../threads/attachments';
import type { CommandOutputs } from '../../threads/command-outputs';
import type { Inspector } from '../../threads/inspector';
import type { ThreadMedia } from '../../threads/thread-media';
import type { DesktopServices } from '../../window/desktop-services';
import type { Hub } from '../../window/hub';
import type { Outbox } from '../../window/outbox';
import type { Warnings } from '../../window/warnings';
import type { Editors } from '../editors';
import type { Turns } from '../turns';

/** The host's services for runs. */
export interface RunServices {
  storage: Storage;
  hub: Hub;
  outbox: Outbox;
  warnings: Warnings;
  projects: ProjectRegistry;
  outputs: CommandOutputs;
  media: ThreadMedia;
  attachments: AttachmentStore;
  /** Folder on this machine with the person's own agents. */
  personalAgents: string;
  skillFolders: SkillFolders;
  memories: Memories;
  memoryUses: MemoryUses;
  models: ModelService;
  mcp: McpServers;
  editors: Editors;
  secrets: SecretService;
  profiles: ProfileService;
  inspector: Inspector;
  terminals: TerminalSessions;
  engine: EngineApi;
  changeLog: ChangeLog;
  places: Places;
  remoteAgents: RemoteAgents;
  remoteTasks: RemoteTasks;
  hooks: Hooks;
  sandboxes: Sandboxes;
  rehearsals: Rehearsals;
}

/** The start options that affect runs. */
export interface RunSetting {
  /** Folder of the database. */
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** For tests: how web pages are reached. */
  pages?: PageNetwork;
  /** Overrides the project's mode. */
  mode?: ApprovalMode;
  desktop: DesktopServices;
  /** Receives bugs that were caught at a boundary. */
  report: (where: string, error: unknown) => void;
  /** Whether somebody could answer a command's prompt. */
  hasPerson: () => boolean;
  /** Decides instead of a person about a command that reached its time limit: whether it may continue. */
  overtime?: (approval: Approval, over: AbortSignal) => Promise<boolean>;
  /** The turns of the runs; read only during a run. */
  turns: () => Turns;
}
