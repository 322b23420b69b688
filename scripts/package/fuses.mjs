// The switches inside Electron's program that a packaged app sets once and nobody can set at its start.
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/** Electron checks the archive against a digest inside the program on these systems only. */
const CHECKS_ARCHIVE = process.platform === 'darwin' || process.platform === 'win32';

/** @type {[keyof typeof FuseV1Options, boolean][]} */
const WANTED = [
  // The program is Deepdesk and nothing else: not a Node for whoever sets a variable or passes a switch.
  ['RunAsNode', false],
  ['EnableNodeOptionsEnvironmentVariable', false],
  ['EnableNodeCliInspectArguments', false],
  ['OnlyLoadAppFromAsar', true],
  ['EnableEmbeddedAsarIntegrityValidation', CHECKS_ARCHIVE],
  ['EnableCookieEncryption', true],
  // Pages come by app:, and one from the disk gets nothing that a page of the web does not get.
  ['GrantFileProtocolExtraPrivileges', false],
  ['LoadBrowserProcessSpecificV8Snapshot', false],
];

/** Sets the fuses of a packaged program. @param {string} executable */
export async function setFuses(executable) {
  await flipFuses(executable, {
    version: FuseVersion.V1,
    ...Object.fromEntries(WANTED.map(([name, isOn]) => [FuseV1Options[name], isOn])),
  });
}

/**
 * What the fuses of a program are, by name. A fuse that its Electron does not have is left out.
 * @param {string} executable
 * @returns {Promise<Record<string, boolean>>}
 */
export async function readFuses(executable) {
  const wire = await getCurrentFuseWire(executable);
  /** @type {Record<string, boolean>} */
  const fuses = {};
  for (const [name] of WANTED) {
    const state = wire[FuseV1Options[name]];
    if (state === FuseState.ENABLE || state === FuseState.DISABLE) fuses[name] = state === FuseState.ENABLE;
  }
  return fuses;
}
