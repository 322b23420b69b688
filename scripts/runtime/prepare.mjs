// Everything that must be there before the app or its headless entry can run, in one go, so that a person whose system
// lacks several things is told once.
import { display, needsDisplay } from './display.mjs';
import { findElectron } from './electron.mjs';
import { mustBuildBinding, nodeApiHere, sqliteBinding } from './sqlite.mjs';
import { compilerNeeds, displayNeeds, libraryNeeds, meet } from './system-packages.mjs';

/** @param {string | undefined} file @returns {Record<string, string>} */
function bindingEnv(file) {
  return file === undefined ? {} : { DEEPDESK_SQLITE_BINDING: file };
}

/**
 * What plain Node needs to run the headless entry and the unit tests.
 * @returns {Promise<Record<string, string>>} environment to add
 */
export async function prepareNode() {
  if (mustBuildBinding(nodeApiHere)) await meet(compilerNeeds());
  return bindingEnv(await sqliteBinding(nodeApiHere));
}

/**
 * Sees that the machine has all that running and testing the app takes. A person whose system lacks several things is
 * told of all at once.
 * @param {{ alsoNode?: boolean }} [options] alsoNode: the headless entry or the unit tests will run too
 */
export async function prepareMachine({ alsoNode = false } = {}) {
  const electron = await findElectron();
  const mustCompile = mustBuildBinding(electron.nodeApi) || (alsoNode && mustBuildBinding(nodeApiHere));
  await meet([
    ...(await libraryNeeds(electron.executable)),
    ...(needsDisplay() ? displayNeeds() : []),
    ...(mustCompile ? compilerNeeds() : []),
  ]);
  return { electron, env: bindingEnv(await sqliteBinding(electron.nodeApi)) };
}

/** What the app needs: Electron, its libraries, the SQLite binding for it, a display. The caller stops the display. */
export async function prepareElectron() {
  const { electron, env } = await prepareMachine();
  const screen = await display();
  return { electron, env: { ...env, ...screen.env }, stopDisplay: screen.stop, isDisplayGone: screen.isGone };
}
