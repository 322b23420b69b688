import type { Handlers } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import { activityHandlers } from './activity';
import { agentsHandlers } from './agents';
import { appHandlers } from './app';
import { approvalHandlers } from './approval';
import { attachmentsHandlers } from './attachments';
import { changesHandlers } from './changes';
import { composerHandlers } from './composer';
import { copiesHandlers } from './copies';
import { dataHandlers } from './data';
import { diagramsHandlers } from './diagrams';
import { filesHandlers } from './files';
import { gitHandlers } from './git';
import { hooksHandlers } from './hooks';
import { inboxHandlers } from './inbox';
import { linkHandlers } from './link';
import { mcpHandlers } from './mcp';
import { memoriesHandlers } from './memories';
import { menuHandlers } from './menu';
import { modelsHandlers } from './models';
import { placesHandlers } from './places';
import { profilesHandlers } from './profiles';
import { projectHandlers } from './project';
import { rehearsalHandlers } from './rehearsal';
import { routinesHandlers } from './routines';
import { rulesHandlers } from './rules';
import { sandboxHandlers } from './sandbox';
import { searchHandlers } from './search';
import { secretsHandlers } from './secrets';
import { settingsHandlers } from './settings';
import { terminalHandlers } from './terminal';
import { textHandlers } from './text';
import { threadHandlers } from './thread';
import { updatesHandlers } from './updates';
import { usageHandlers } from './usage';
import { windowHandlers } from './window';

export type CommandHandlers = Handlers<Connection>;

/** The union of everything that the handlers need. */
export type HandlerParts = Parameters<typeof activityHandlers>[0] &
  Parameters<typeof agentsHandlers>[0] &
  Parameters<typeof appHandlers>[0] &
  Parameters<typeof approvalHandlers>[0] &
  Parameters<typeof attachmentsHandlers>[0] &
  Parameters<typeof changesHandlers>[0] &
  Parameters<typeof composerHandlers>[0] &
  Parameters<typeof copiesHandlers>[0] &
  Parameters<typeof dataHandlers>[0] &
  Parameters<typeof diagramsHandlers>[0] &
  Parameters<typeof filesHandlers>[0] &
  Parameters<typeof gitHandlers>[0] &
  Parameters<typeof hooksHandlers>[0] &
  Parameters<typeof inboxHandlers>[0] &
  Parameters<typeof linkHandlers>[0] &
  Parameters<typeof mcpHandlers>[0] &
  Parameters<typeof memoriesHandlers>[0] &
  Parameters<typeof menuHandlers>[0] &
  Parameters<typeof modelsHandlers>[0] &
  Parameters<typeof placesHandlers>[0] &
  Parameters<typeof profilesHandlers>[0] &
  Parameters<typeof projectHandlers>[0] &
  Parameters<typeof rehearsalHandlers>[0] &
  Parameters<typeof routinesHandlers>[0] &
  Parameters<typeof rulesHandlers>[0] &
  Parameters<typeof sandboxHandlers>[0] &
  Parameters<typeof searchHandlers>[0] &
  Parameters<typeof secretsHandlers>[0] &
  Parameters<typeof settingsHandlers>[0] &
  Parameters<typeof terminalHandlers>[0] &
  Parameters<typeof textHandlers>[0] &
  Parameters<typeof threadHandlers>[0] &
  Parameters<typeof updatesHandlers>[0] &
  Parameters<typeof usageHandlers>[0] &
  Parameters<typeof windowHandlers>[0];

/** Creates the handlers of all commands in the contract. */
export const createHandlers = (parts: HandlerParts): CommandHandlers => ({
  ...activityHandlers(parts),
  ...agentsHandlers(parts),
  ...appHandlers(parts),
  ...approvalHandlers(parts),
  ...attachmentsHandlers(parts),
  ...changesHandlers(parts),
  ...composerHandlers(parts),
  ...copiesHandlers(parts),
  ...dataHandlers(parts),
  ...diagramsHandlers(parts),
  ...filesHandlers(parts),
  ...gitHandlers(parts),
  ...hooksHandlers(parts),
  ...inboxHandlers(parts),
  ...linkHandlers(parts),
  ...mcpHandlers(parts),
  ...memoriesHandlers(parts),
  ...menuHandlers(parts),
  ...modelsHandlers(parts),
  ...placesHandlers(parts),
  ...profilesHandlers(parts),
  ...projectHandlers(parts),
  ...rehearsalHandlers(parts),
  ...routinesHandlers(parts),
  ...rulesHandlers(parts),
  ...sandboxHandlers(parts),
  ...searchHandlers(parts),
  ...secretsHandlers(parts),
  ...settingsHandlers(parts),
  ...terminalHandlers(parts),
  ...textHandlers(parts),
  ...threadHandlers(parts),
  ...updatesHandlers(parts),
  ...usageHandlers(parts),
  ...windowHandlers(parts),
});
