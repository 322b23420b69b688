// The Electron fuses: switches in the program that a packaged app sets once and that nobody can set at start.
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/** Only on these systems Electron checks the archive against a digest in the program. */
const CHECKS_ARCHIVE = process.platform === 'darwin' || process.platform === 'win32';

/** @type {[keyof typeof FuseV1Options, boolean][]} */
const WANTED = [
  // The program runs only as Deepdesk, never as a Node for whoever sets a variable or passes a switch.
  ['RunAsNode', false],
  ['EnableNodeOptionsEnvironmentVariable', false],
  ['EnableNodeCliInspectArguments', false],
  ['OnlyLoadAppFromAsar', true],
  ['EnableEmbeddedAsarIntegrityValidation', CHECKS_ARCHIVE],
  ['EnableCookieEncryption', true],
  // Pages come from app:, and a page from the disk gets no more than a page from the web.
  ['GrantFileProtocolExtraPrivileges', false],
  ['LoadBrowserProcessSpecificV8Snapshot', false],
];

/** The fuses as electron-builder names them: `runAsNode` for `RunAsNode`. @returns {Record<string, boolean>} */
export function fusesForBuilder() {
  return Object.fromEntries(
    WANTED.map(([name, isOn]) => [`${name[0]?.toLowerCase()}${name.slice(1)}`, isOn]),
  );
}

/** Sets the fuses of a packaged program. @param {string} executable */
export async function setFuses(executable) {
  await flipFuses(executable, {
    version: FuseVersion.V1,
    ...Object.fromEntries(WANTED.map(([name, isOn]) => [FuseV1Options[name], isOn])),
  });
}

/**
 * The fuses of a program, by name, without those that its Electron does not have.
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
