import { app } from './app';
import { approvals } from './approvals';
import { changes } from './changes';
import { chat } from './chat';
import { files } from './files';
import { mcp } from './mcp';
import { memories } from './memories';
import { onboarding } from './onboarding';
import { plan } from './plan';
import { settings } from './settings';
import { sidebar } from './sidebar';
import { terminal } from './terminal';
import { tools } from './tools';
import { ui } from './ui';
import { usage } from './usage';

export const zh = {
  app,
  approvals,
  changes,
  chat,
  files,
  mcp,
  memories,
  onboarding,
  plan,
  settings,
  sidebar,
  terminal,
  tools,
  ui,
  usage,
};
