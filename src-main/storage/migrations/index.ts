import { first } from './001-first';
import { storeIndexes } from './002-store-indexes';
import { spending } from './003-spending';
import { fileChanges } from './004-file-changes';
import { rules } from './005-rules';
import { activity } from './006-activity';
import { messageIndex } from './007-message-index';
import { withheld } from './008-withheld';
import { storeLog } from './009-store-log';
import { threadMarks } from './010-thread-marks';
import { memoryChoices } from './011-memory-choices';
import { pieceBytes } from './012-piece-bytes';
import { checkpointOrder } from './013-checkpoint-order';
import { ruleChanges } from './014-rule-changes';
import { places } from './015-places';
import { memoryScopes } from './016-memory-scopes';
import { routines } from './017-routines';
import { placeCalls } from './018-place-calls';
import { remoteAgents } from './019-remote-agents';
import { placeWrites } from './020-place-writes';
import { outsideCalls } from './021-outside-calls';
import { autoApprovedChanges } from './022-auto-approved-changes';

/** In order: the migration at index n leads from version n to n + 1. Never change a released migration. */
export const migrations: readonly string[] = [
  first,
  storeIndexes,
  spending,
  fileChanges,
  rules,
  activity,
  messageIndex,
  withheld,
  storeLog,
  threadMarks,
  memoryChoices,
  pieceBytes,
  checkpointOrder,
  ruleChanges,
  places,
  memoryScopes,
  routines,
  placeCalls,
  remoteAgents,
  placeWrites,
  outsideCalls,
  autoApprovedChanges,
];
