import type { z } from 'zod';
import { activityCommands } from './activity';
import { agentsCommands } from './agents';
import { appCommands } from './app';
import { approvalCommands } from './approval';
import { attachmentsCommands } from './attachments';
import { changesCommands } from './changes';
import { composerCommands } from './composer';
import { copiesCommands } from './copies';
import { dataCommands } from './data';
import { diagramsCommands } from './diagrams';
import { filesCommands } from './files';
import { gitCommands } from './git';
import { hooksCommands } from './hooks';
import { inboxCommands } from './inbox';
import { linkCommands } from './link';
import { mcpCommands } from './mcp';
import { memoriesCommands } from './memories';
import { menuCommands } from './menu';
import { modelsCommands } from './models';
import { placesCommands } from './places';
import { profilesCommands } from './profiles';
import { projectCommands } from './project';
import { rehearsalCommands } from './rehearsal';
import { routinesCommands } from './routines';
import { rulesCommands } from './rules';
import { sandboxCommands } from './sandbox';
import { searchCommands } from './search';
import { secretsCommands } from './secrets';
import { settingsCommands } from './settings';
import { terminalCommands } from './terminal';
import { textCommands } from './text';
import { threadCommands } from './thread';
import { updatesCommands } from './updates';
import { usageCommands } from './usage';
import { windowCommands } from './window';

/**
 * Every command that a window can send to the main process. Unknown names, extra keys and wrong types are refused as
 * `invalid`.
 */
export const commands = {
  ...activityCommands,
  ...agentsCommands,
  ...appCommands,
  ...approvalCommands,
  ...attachmentsCommands,
  ...changesCommands,
  ...composerCommands,
  ...copiesCommands,
  ...dataCommands,
  ...diagramsCommands,
  ...filesCommands,
  ...gitCommands,
  ...hooksCommands,
  ...inboxCommands,
  ...linkCommands,
  ...mcpCommands,
  ...memoriesCommands,
  ...menuCommands,
  ...modelsCommands,
  ...placesCommands,
  ...profilesCommands,
  ...projectCommands,
  ...rehearsalCommands,
  ...routinesCommands,
  ...rulesCommands,
  ...sandboxCommands,
  ...searchCommands,
  ...secretsCommands,
  ...settingsCommands,
  ...terminalCommands,
  ...textCommands,
  ...threadCommands,
  ...updatesCommands,
  ...usageCommands,
  ...windowCommands,
} as const;

export type Commands = typeof commands;
export type CommandName = keyof Commands;
/** The part before the dot: each has a file here, and one with its handlers in `host/commands`. */
export type CommandPrefix = CommandName extends `${infer Prefix}.${string}` ? Prefix : never;
export type Input<C extends CommandName> = z.input<Commands[C]['input']>;
export type Output<C extends CommandName> = z.output<Commands[C]['output']>;
