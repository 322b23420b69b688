// The environment of the app and its headless entry: the person's own, without the additions of npm and this tooling. The
// agent's terminals inherit it.
import { delimiter, sep } from 'node:path';

/** Set by npm for its scripts, or meant for another Node or Electron. */
const OURS_TO_DROP = /^(npm_|INIT_CWD$|NODE$|NODE_OPTIONS$|NODE_ENV$|ELECTRON_RUN_AS_NODE$|COLOR$)/;

/**
 * @param {Record<string, string>} [added] additional variables
 * @returns {Record<string, string>}
 */
export function appEnvironment(added = {}) {
  /** @type {Record<string, string>} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !OURS_TO_DROP.test(name)) env[name] = value;
  }
  // npm puts the node_modules/.bin folders of all parent folders first, and its own node-gyp helper.
  const addedByNpm = `${sep}node_modules${sep}`;
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.includes(addedByNpm))
    .join(delimiter);
  return { ...env, NODE_ENV: 'production', ...added };
}
