export const updates = {
  title: 'Updates',
  switch: 'Check for updates',
  switchHint:
    'Once a day, Deepdesk checks its update server and downloads a new version. It is installed when you quit.',
  check: 'Check now',
  off: "Off. Deepdesk doesn't check for new versions.",
  idle: 'Not checked yet.',
  checking: 'Checking…',
  current: 'Up to date. Checked at {moment}.',
  downloading: 'Downloading version {version}: {percent}%',
  cancel: 'Cancel the download',
  ready: 'Version {version} is ready. It is installed when you quit Deepdesk.',
  restart: 'Restart now',
  show: 'Show',
  notes: "What's new in version {version}",
} as const;

/** How the person gets a new version where Deepdesk does not download it. */
export const updateWays = {
  unconfigured:
    "This build doesn't update itself: it was made without an update server. Get new versions where you got this one.",
  deb: 'The package manager updates Deepdesk. If its repository is set up, run: {command}. Otherwise install the new deb.',
  rpm: 'The package manager updates Deepdesk. If its repository is set up, run: {command}. Otherwise install the new rpm.',
  archive: 'To update, unpack the new tar.gz over this folder or next to it: {command}',
  portable: 'To update, replace the portable program with the new one.',
  source: 'Deepdesk runs from source. To update, run: {command}',
} as const;
