// The environment that the app and its headless entry get: the person's own, without what npm and this tooling added.
// What the agent runs in a terminal inherits it.
import { delimiter, sep } from 'node:path';

/** Set by npm for its scripts, or meant for another Node or Electron than the one we start. */
const OURS_TO_DROP = /^(npm_|INIT_CWD$|NODE$|NODE_OPTIONS$|NODE_ENV$|ELECTRON_RUN_AS_NODE$|COLOR$)/;

/**
 * @param {Record<string, string>} [added] on top
 * @returns {Record<string, string>}
 */
export function appEnvironment(added = {}) {
  /** @type {Record<string, string>} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !OURS_TO_DROP.test(name)) env[name] = value;
  }
  // npm puts node_modules/.bin folders of every parent folder first, and its own node-gyp helper.
  const addedByNpm = `${sep}node_modules${sep}`;
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.includes(addedByNpm))
    .join(delimiter);
  return { ...env, NODE_ENV: 'production', ...added };
}
