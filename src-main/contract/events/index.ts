import { z } from 'zod';
import { agentsEvents } from './agents';
import { approvalEvents } from './approval';
import { changesEvents } from './changes';
import { compactionEvents } from './compaction';
import { copiesEvents } from './copies';
import { dataEvents } from './data';
import { filesEvents } from './files';
import { hooksEvents } from './hooks';
import { mcpEvents } from './mcp';
import { memoriesEvents } from './memories';
import { memoryEvents } from './memory';
import { messageEvents } from './message';
import { modelsEvents } from './models';
import { offersEvents } from './offers';
import { placesEvents } from './places';
import { projectEvents } from './project';
import { queueEvents } from './queue';
import { routinesEvents } from './routines';
import { rulesEvents } from './rules';
import { runEvents } from './run';
import { sandboxEvents } from './sandbox';
import { scratchEvents } from './scratch';
import { settingsEvents } from './settings';
import { showEvents } from './show';
import { summaryEvents } from './summary';
import { terminalEvents } from './terminal';
import { threadAppEvents, threadEvents } from './thread';
import { todosEvents } from './todos';
import { toolEvents } from './tool';
import { turnEvents } from './turn';
import { updatesEvents } from './updates';
import { usageEvents } from './usage';
import { warningEvents } from './warning';

/** Events of one thread, numbered from 1 without gaps. The headless command prints the same union. */
export const ThreadEvent = z.discriminatedUnion('type', [
  ...threadEvents,
  ...turnEvents,
  ...messageEvents,
  ...compactionEvents,
  ...toolEvents,
  ...memoryEvents,
  ...approvalEvents,
  ...todosEvents,
  ...queueEvents,
  ...usageEvents,
]);
export type ThreadEvent = z.infer<typeof ThreadEvent>;

/** A thread event before the hub numbers it. */
export type NewThreadEvent = ThreadEvent extends infer E
  ? E extends ThreadEvent
    ? Omit<E, 'seq' | 'threadId'>
    : never
  : never;

/** Events of the whole app. Every window receives all of them, except terminal.data (attached windows only). */
export const AppEvent = z.discriminatedUnion('type', [
  ...agentsEvents,
  ...changesEvents,
  ...copiesEvents,
  ...dataEvents,
  ...filesEvents,
  ...hooksEvents,
  ...mcpEvents,
  ...memoriesEvents,
  ...modelsEvents,
  ...offersEvents,
  ...placesEvents,
  ...projectEvents,
  ...routinesEvents,
  ...rulesEvents,
  ...runEvents,
  ...sandboxEvents,
  ...scratchEvents,
  ...settingsEvents,
  ...showEvents,
  ...summaryEvents,
  ...terminalEvents,
  ...threadAppEvents,
  ...updatesEvents,
  ...warningEvents,
]);
export type AppEvent = z.infer<typeof AppEvent>;

export const HostEvent = z.union([ThreadEvent, AppEvent]);
export type HostEvent = ThreadEvent | AppEvent;
