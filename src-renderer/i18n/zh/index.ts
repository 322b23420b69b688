import { about } from './about';
import { actions, menu, offers, palette, shortcuts } from './actions';
import { activity } from './activity';
import { agents } from './agents';
import { app } from './app';
import { approvals } from './approvals';
import { changes } from './changes';
import { chat } from './chat';
import { copies } from './copies';
import { data } from './data';
import { files } from './files';
import { git, gitAuthors, gitChanges, gitKinds, gitOperations, gitPull, gitPush } from './git';
import { hooks } from './hooks';
import { inbox } from './inbox';
import { mcp } from './mcp';
import { memories } from './memories';
import { modeHints, modes, modeTexts } from './modes';
import { onboarding } from './onboarding';
import { outcome } from './outcome';
import { places } from './places';
import { plan } from './plan';
import { providers } from './providers';
import { questions } from './questions';
import { reasons } from './reasons';
import { receipt } from './receipt';
import { rehearsal } from './rehearsal';
import { routines } from './routines';
import { sandbox } from './sandbox';
import { secretKinds, secrets } from './secrets';
import { settings } from './settings';
import { sidebar } from './sidebar';
import { since } from './since';
import { terminal } from './terminal';
import { tools } from './tools';
import { ui } from './ui';
import { updates, updateWays } from './updates';
import { usage } from './usage';

export const zh = {
  actions,
  activity,
  app,
  approvals,
  changes,
  chat,
  copies,
  data,
  files,
  git,
  gitAuthors,
  gitChanges,
  gitKinds,
  gitOperations,
  gitPull,
  gitPush,
  hooks,
  inbox,
  mcp,
  memories,
  menu,
  modeHints,
  modes,
  modeTexts,
  offers,
  onboarding,
  outcome,
  palette,
  places,
  agents,
  plan,
  providers,
  questions,
  reasons,
  receipt,
  rehearsal,
  routines,
  sandbox,
  secretKinds,
  secrets,
  settings,
  about,
  shortcuts,
  sidebar,
  since,
  terminal,
  tools,
  ui,
  updates,
  updateWays,
  usage,
};
