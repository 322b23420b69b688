// Prepares everything that the app or its headless entry needs, in one go, so that a person whose system lacks several
// things is told once.
import { display, needsDisplay } from './display.mjs';
import { findElectron } from './electron.mjs';
import { mustBuildBinding, nodeApiHere, sqliteBinding } from './sqlite.mjs';
import { compilerNeeds, displayNeeds, libraryNeeds, meet } from './system-packages.mjs';

/** @param {string | undefined} file @returns {Record<string, string>} */
function bindingEnv(file) {
  return file === undefined ? {} : { DEEPDESK_SQLITE_BINDING: file };
}

/**
 * Prepares plain Node for the headless entry and the unit tests.
 * @returns {Promise<Record<string, string>>} environment to add
 */
export async function prepareNode() {
  if (mustBuildBinding(nodeApiHere)) await meet(compilerNeeds());
  return bindingEnv(await sqliteBinding(nodeApiHere));
}

/**
 * Checks that the machine has everything for running and testing the app. Reports all missing parts together.
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

/** Prepares what the app needs: Electron, its libraries, its SQLite binding, a display. The caller stops the display. */
export async function prepareElectron() {
  const { electron, env } = await prepareMachine();
  const screen = await display();
  return { electron, env: { ...env, ...screen.env }, stopDisplay: screen.stop, isDisplayGone: screen.isGone };
}
