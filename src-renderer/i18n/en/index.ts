import { app } from './app';
import { approvals } from './approvals';
import { chat } from './chat';
import { files } from './files';
import { memories } from './memories';
import { onboarding } from './onboarding';
import { plan } from './plan';
import { settings } from './settings';
import { sidebar } from './sidebar';
import { terminal } from './terminal';
import { tools } from './tools';
import { ui } from './ui';

export const en = {
  app,
  approvals,
  chat,
  files,
  memories,
  onboarding,
  plan,
  settings,
  sidebar,
  terminal,
  tools,
  ui,
};
