// Detects the optional features of this machine that the app and its tests use. It tries each one as the user who will run
// the app, and never reads kernel settings. It tries each once per run; results that need an Electron are cached until the
// machine restarts.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../process.mjs';
import { removedAfter } from './at-exit.mjs';
import { cacheFolder, isRoot } from './cache.mjs';

/**
 * @typedef {{ uid: number, gid: number }} User whom root switches to
 *
 * @typedef {object} Capability
 * @property {string} name for people
 * @property {boolean} works
 * @property {string | null} reason why it does not work, as one sentence
 * @property {string} meaning what the app does without it
 *
 * @typedef {'userNamespaces' | 'ownLimits' | 'commandSandbox' | 'reflink'} Tried
 */

/** Milliseconds for one trial. */
const TRIAL_WITHIN = 20_000;

/** @param {User | null} user @param {string[]} command */
function asUser(user, command) {
  return user === null
    ? command
    : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--', ...command];
}

/** @param {string[]} command @param {User | null} user @param {NodeJS.ProcessEnv} [env] */
function attempt(command, user, env = process.env) {
  const [program = '', ...args] = asUser(user, command);
  return run(program, args, { cwd: '/', env, timeout: TRIAL_WITHIN });
}

/** The output line that explains the failure. @param {string} output */
function lastWords(output) {
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.trim());
  return (lines[0] ?? '').replace(/\.$/, '') || 'it exited without a message';
}

/** @param {string[]} command @param {User | null} user @returns {Promise<string | null>} why it did not work */
async function whyNot(command, user) {
  const { code, output } = await attempt(command, user);
  return code === 0 ? null : `${lastWords(output)}.`;
}

/** Why there is no sandbox for commands. */
export const NO_BUBBLEWRAP = 'bubblewrap is not installed.';

const onLinux = process.platform === 'linux';

/** @type {Record<Tried, { name: string, meaning: string, why: (user: User | null) => Promise<string | null> }>} */
const TRIALS = {
  userNamespaces: {
    name: 'user namespaces',
    meaning: 'the sandboxes of Chromium and bubblewrap work only with help from root',
    why: async (user) => (onLinux ? whyNot(['unshare', '--user', 'true'], user) : 'Only Linux has them.'),
  },
  ownLimits: {
    name: 'limits of a process of its own',
    meaning: 'tests of a system without file watches are skipped',
    why: async (user) =>
      onLinux
        ? whyNot(
            [
              'unshare',
              '--user',
              '--map-root-user',
              'sh',
              '-c',
              'echo 2 > /proc/sys/user/max_inotify_watches',
            ],
            user,
          )
        : 'Only Linux has them.',
  },
  commandSandbox: {
    name: 'sandbox for commands',
    meaning: 'the app asks before every command that may do more than read',
    why: async (user) => {
      if (process.platform === 'darwin')
        return whyNot(['/usr/bin/sandbox-exec', '-p', '(version 1)(allow default)', '/usr/bin/true'], user);
      if (!onLinux) return 'Deepdesk has no sandbox for commands on this system.';
      const isolated = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
      const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
      const { code, output } = await attempt(['bwrap', ...isolated, ...mounts, '/bin/sh', '-c', ':'], user);
      if (code === 0) return null;
      return code === 127 || /ENOENT|No such file or directory$/m.test(output)
        ? NO_BUBBLEWRAP
        : `bubblewrap is installed but cannot be used here: ${lastWords(output)}.`;
    },
  },
  reflink: {
    name: 'copies that share blocks (reflink)',
    meaning: 'private copies of a folder take more time and space',
    why: async () => {
      const folder = mkdtempSync(join(cacheFolder(), 'reflink-'));
      return removedAfter(folder, async () => {
        try {
          writeFileSync(join(folder, 'a'), 'x'.repeat(4096));
          copyFileSync(join(folder, 'a'), join(folder, 'b'), constants.COPYFILE_FICLONE_FORCE);
          return null;
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? error.code : String(error);
          return `the file system of ${dirname(folder)} cannot do it (${code}).`;
        }
      });
    },
  },
};

/** @type {Map<string, Promise<Capability>>} */
const tried = new Map();

/**
 * Tries something once and caches the answer for this process.
 * @param {Tried} what
 * @param {{ user?: User | null }} [options] user: whom root switches to
 * @returns {Promise<Capability>}
 */
export function capability(what, { user = null } = {}) {
  const key = `${what} ${user?.uid}`;
  const known = tried.get(key);
  if (known) return known;
  const { name, meaning, why } = TRIALS[what];
  const answer = why(user).then((reason) => ({ name, works: reason === null, reason, meaning }));
  tried.set(key, answer);
  return answer;
}

/** The suffix for titles of tests that need a missing capability. @param {Capability} capability */
export const skippedBecause = ({ works, name, reason }) => (works ? '' : ` (skipped: ${name}: ${reason})`);

/**
 * @typedef {object} Chromium what an Electron can do here
 * @property {string | null} sandboxOff why Chromium cannot sandbox its processes; null if it can
 * @property {'root' | 'namespaces' | 'other' | null} sandboxCause the same as a code, for the app
 * @property {string | null} sandboxCommand what turns the sandbox on
 * @property {boolean} keychain keys can be encrypted by the system's keychain
 * @property {string} keychainBackend what would store them
 * @property {number} displays
 * @property {boolean} starts false: not even without the sandbox
 * @property {string} said its output if it does not start
 */

/** An app that answers one question: can Electron show a page, and what does it know about this machine? */
const PROBE = `
const { app, BrowserWindow, safeStorage, screen } = require('electron');
app.setPath('userData', process.env.DEEPDESK_PROBE);
app.disableHardwareAcceleration();
app.whenReady().then(async () => {
  const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    process.stderr.write('the process of a page ended: ' + reason + '\\n');
    app.exit(1);
  });
  await window.loadURL('data:text/html,<p>probe');
  const sum = await window.webContents.executeJavaScript('1 + 1');
  const keychainBackend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : process.platform;
  const keychain = safeStorage.isEncryptionAvailable() && keychainBackend !== 'basic_text';
  process.stdout.write('\\nprobe:' + JSON.stringify({ sum, keychain, keychainBackend, displays: screen.getAllDisplays().length }) + '\\n');
  app.exit(0);
}).catch((error) => { process.stderr.write(String(error) + '\\n'); app.exit(1); });
`;

/**
 * Chromium's last messages before it gives up, with the cause and its explanation for people.
 * @type {[RegExp, 'root' | 'namespaces', string][]}
 */
const GIVES_UP = [
  [
    /Running as root without --no-sandbox is not supported/,
    'root',
    'Chromium refuses its sandbox when started by root.',
  ],
  [
    /No usable sandbox|SUID sandbox helper|credentials\.cc|namespace|zygote_host_impl|sandbox/i,
    'namespaces',
    'This system keeps programs from making user namespaces, which Chromium needs for its sandbox.',
  ],
];

/** @param {string} executable */
function commandToTurnOn(executable) {
  const helper = join(dirname(executable), 'chrome-sandbox');
  return existsSync(helper) ? `sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'` : null;
}

/** @param {string} executable @param {User | null} user @param {Record<string, string>} env @param {boolean} sandboxed */
async function probe(executable, user, env, sandboxed) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'deepdesk-probe-'));
  return removedAfter(folder, async () => {
    chmodSync(folder, user === null ? 0o700 : 0o777);
    writeFileSync(join(folder, 'package.json'), '{"name":"probe","main":"main.cjs"}', { mode: 0o644 });
    writeFileSync(join(folder, 'main.cjs'), PROBE, { mode: 0o644 });
    const data = join(folder, 'data');
    const command = [executable, folder, ...(sandboxed ? [] : ['--no-sandbox'])];
    const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env;
    const ran = await attempt(command, user, {
      ...inherited,
      ...env,
      ...(user === null ? {} : { HOME: folder }),
      DEEPDESK_PROBE: data,
    });
    const found = /^probe:(.*)$/m.exec(ran.stdout)?.[1];
    return { found: ran.code === 0 && found ? JSON.parse(found) : null, output: ran.output };
  });
}

/** @param {string} executable @param {User | null} user @param {Record<string, string>} env @returns {Promise<Chromium>} */
async function tryChromium(executable, user, env) {
  const none = {
    keychain: false,
    keychainBackend: 'none',
    displays: 0,
    sandboxCause: null,
    sandboxCommand: null,
  };
  const asWanted = await probe(executable, user, env, true);
  if (asWanted.found) return { ...none, ...asWanted.found, sandboxOff: null, starts: true, said: '' };
  const without = await probe(executable, user, env, false);
  if (!without.found) return { ...none, sandboxOff: null, starts: false, said: without.output };
  const known = GIVES_UP.find(([pattern]) => pattern.test(asWanted.output));
  const words = known?.[2] ?? `Chromium could not show a page in its sandbox: ${lastWords(asWanted.output)}.`;
  const command = user === null && isRoot ? null : commandToTurnOn(executable);
  return {
    ...none,
    ...without.found,
    sandboxOff: command === null ? words : `${words} To turn it on: ${command}`,
    sandboxCause: known?.[1] ?? 'other',
    sandboxCommand: command,
    starts: true,
    said: '',
  };
}

/** The conditions of an answer: this runtime, this user, and this boot of the system with these namespaces. */
function circumstances(/** @type {string} */ executable, /** @type {User | null} */ user) {
  const read = (/** @type {() => unknown} */ look) => {
    try {
      return look();
    } catch {
      return null;
    }
  };
  const helper = join(dirname(executable), 'chrome-sandbox');
  return createHash('sha256')
    .update(
      JSON.stringify([
        executable,
        user?.uid ?? process.getuid?.(),
        read(() => statSync(executable).mtimeMs),
        read(() => [statSync(helper).mode, statSync(helper).uid]),
        read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
        read(() => readlinkSync('/proc/self/ns/user')),
        read(() => [statSync('/').dev, statSync('/').ino]),
        PROBE,
        // The form of the answer.
        2,
      ]),
    )
    .digest('hex')
    .slice(0, 16);
}

/**
 * What an Electron can do here. It takes a second the first time and is cached, so that a start does not wait for it.
 * @param {string} executable of Electron
 * @param {object} [options]
 * @param {User | null} [options.user] whom root switches to
 * @param {Record<string, string>} [options.env] what it needs to draw
 * @param {boolean} [options.again] tries it again
 * @param {boolean} [options.keep] false for a copy of Electron that exists only for one run
 * @returns {Promise<Chromium>}
 */
export async function chromiumHere(executable, { user = null, env = {}, again = false, keep = true } = {}) {
  if (!keep) return tryChromium(executable, user, env);
  const file = join(cacheFolder(), `tried-${circumstances(executable, user)}.json`);
  if (!again && existsSync(file)) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // Truncated by an interrupted run.
    }
  }
  const found = await tryChromium(executable, user, env);
  // A failed start may have any cause, which may be gone next time.
  if (found.starts) writeFileSync(file, JSON.stringify(found));
  else rmSync(file, { force: true });
  return found;
}
