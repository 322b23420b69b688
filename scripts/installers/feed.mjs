// The signed list of versions that the app updates itself from: updates.json and updates.json.sig beside the packages.
// src-main/updates/feed.ts reads it.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const FEED = 'updates.json';
const SIGNATURE = 'updates.json.sig';

/** The environment variable with the private key: PKCS #8, PEM. */
export const KEY_VARIABLE = 'DEEPDESK_UPDATE_KEY';
/** The key before that one, after a change of keys: apps that know only it accept the feed because of its signature. */
export const OLD_KEY_VARIABLE = 'DEEPDESK_UPDATE_KEY_OLD';

/** Days that a feed is valid. Then it must be signed again, so that nobody can keep people on an old version for longer. */
const VALID_DAYS = 180;
const DAY = 24 * 60 * 60 * 1_000;
/** Characters of the notes; the app refuses more than 20,000. */
const MAX_NOTES = 15_000;

/** The packages that can update themselves, by the end of their names. @type {[RegExp, string, string][]} */
const SYSTEMS = [
  [/-linux-(?:x86_64|x64)\.AppImage$/, 'linux', 'x64'],
  [/-linux-arm64\.AppImage$/, 'linux', 'arm64'],
  [/-mac-universal\.zip$/, 'darwin', 'universal'],
  [/-windows-x64-setup\.exe$/, 'win32', 'x64'],
  [/-windows-arm64-setup\.exe$/, 'win32', 'arm64'],
];

/** A new key pair. `publicKey` goes into project.json, `privateKey` into the secrets of the release workflow. */
export function makeKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The part of CHANGELOG.md about a version, as text. @param {string} changelog @param {string} version */
export function notesFor(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => /^\[?([\d.]+)\b/.exec(section)?.[1] === version);
  if (own === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return own
    .slice(own.indexOf('\n') + 1)
    .trim()
    .slice(0, MAX_NOTES);
}

/**
 * Writes the feed of a folder of packages and its signature.
 * @param {string} folder
 * @param {object} options
 * @param {string} options.version
 * @param {string} options.notes
 * @param {string} options.privateKey
 * @param {string} options.publicKey the one in project.json, which the app knows
 * @param {string | undefined} [options.alsoSignedBy] the private key before a change of keys
 * @param {number} [options.now]
 * @param {number} [options.days]
 * @returns {Promise<string[]>} the names of the packages in it
 */
export async function writeFeed(
  folder,
  { version, notes, privateKey, publicKey, alsoSignedBy, now = Date.now(), days = VALID_DAYS },
) {
  const key = signingKey(privateKey, KEY_VARIABLE);
  const keys = alsoSignedBy === undefined ? [key] : [key, signingKey(alsoSignedBy, OLD_KEY_VARIABLE)];
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  if (own !== publicKey)
    throw new Error(
      `${KEY_VARIABLE} does not belong to updateKey in project.json: no app would accept the feed`,
    );
  const files = [];
  for (const name of readdirSync(folder).sort()) {
    const system = SYSTEMS.find(([end]) => end.test(name));
    if (system === undefined) continue;
    if (!name.includes(`-${version}-`)) throw new Error(`${name} is not of version ${version}`);
    const path = join(folder, name);
    const [, platform, arch] = system;
    files.push({ platform, arch, name, size: statSync(path).size, sha512: await sha512Of(path) });
  }
  if (files.length === 0) throw new Error(`${folder} has no package that updates itself`);
  const [date, expires] = [now, now + days * DAY].map((time) => new Date(time).toISOString());
  const bytes = Buffer.from(
    `${JSON.stringify({ format: 1, version, date, expires, notes, files }, null, 1)}\n`,
  );
  writeFileSync(join(folder, FEED), bytes);
  const signatures = keys.map((one) => `${sign(null, bytes, one).toString('base64')}\n`);
  writeFileSync(join(folder, SIGNATURE), signatures.join(''));
  return files.map(({ name }) => name);
}

/** @param {string} pem @param {string} variable that it came from */
function signingKey(pem, variable) {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${variable} is not an Ed25519 key`);
  return key;
}

/** @param {string} file @returns {Promise<string>} in base64 */
async function sha512Of(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64');
}
