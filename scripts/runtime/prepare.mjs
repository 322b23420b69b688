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
 * What the app needs: Electron, its libraries, the SQLite binding for it, a display. The caller stops the display.
 * @param {{ alsoNode?: boolean }} [options] alsoNode: the unit tests will run too
 */
export async function prepareElectron({ alsoNode = false } = {}) {
  const electron = await findElectron();
  const mustCompile = mustBuildBinding(electron.nodeApi) || (alsoNode && mustBuildBinding(nodeApiHere));
  await meet([
    ...(await libraryNeeds(electron.executable)),
    ...(needsDisplay() ? displayNeeds() : []),
    ...(mustCompile ? compilerNeeds() : []),
  ]);
  const binding = await sqliteBinding(electron.nodeApi);
  const screen = await display();
  return { electron, env: { ...bindingEnv(binding), ...screen.env }, stopDisplay: screen.stop };
}
