import { isAbsolute, join, resolve } from 'node:path';

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** The person's home folder. */
  home: string;
}

/** The data folder. Default: the app's own. An empty variable counts as unset: a path from it would be the current folder. */
export const dataDirOf = (option: string | undefined, surroundings: Surroundings): string =>
  resolve(option ?? (surroundings.env.DEEPDESK_DATA_DIR || defaultDataDir(surroundings)));

function defaultDataDir({ env, platform, home }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support/Deepdesk');
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), 'Deepdesk');
  const { XDG_CONFIG_HOME: config = '' } = env;
  // The XDG specification ignores relative paths.
  return join(isAbsolute(config) ? config : join(home, '.config'), 'Deepdesk');
}
