import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanups } from '../../src-main/base/testing/cleanups';
import { verifiedFeed } from '../../src-main/updates/feed';
import { makeKeys, notesFor, writeFeed } from './feed.mjs';

const keys = makeKeys();
const options = { version: '1.2.3', notes: 'It is faster.', ...keys };

function packages(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-feed-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  for (const name of names) writeFileSync(join(folder, name), `contents of ${name}`);
  return folder;
}

it('signs a feed of the packages that update themselves, which the app accepts', async () => {
  const now = Date.UTC(2027, 0, 1);
  const folder = packages(
    'deepdesk-1.2.3-linux-x86_64.AppImage',
    'deepdesk-1.2.3-mac-universal.zip',
    'deepdesk-1.2.3-windows-x64-setup.exe',
    'deepdesk-1.2.3-windows-x64-portable.exe',
    'deepdesk_1.2.3_amd64.deb',
    'SHA256SUMS',
  );
  await writeFeed(folder, { ...options, now });
  const bytes = readFileSync(join(folder, 'updates.json'));
  const signature = readFileSync(join(folder, 'updates.json.sig'), 'utf8');
  const feed = verifiedFeed(bytes, signature, { key: keys.publicKey, now, seen: 0 });
  expect(feed).toMatchObject({ version: '1.2.3', notes: 'It is faster.', date: '2027-01-01T00:00:00.000Z' });
  expect(feed.files.map(({ platform, arch, size }) => [platform, arch, size])).toEqual([
    ['linux', 'x64', 48],
    ['darwin', 'universal', 44],
    ['win32', 'x64', 48],
  ]);
});

it('refuses a key that the app does not know, and one of another kind', async () => {
  const folder = packages('deepdesk-1.2.3-linux-x86_64.AppImage');
  await expect(writeFeed(folder, { ...options, privateKey: makeKeys().privateKey })).rejects.toThrow(
    /does not belong to updateKey/,
  );
  const { privateKey } = generateKeyPairSync('x25519');
  const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await expect(writeFeed(folder, { ...options, privateKey: other })).rejects.toThrow(/is not an Ed25519 key/);
});

it('signs with the key before a change of keys as well, for the apps that know only that one', async () => {
  const folder = packages('deepdesk-1.2.3-linux-x86_64.AppImage');
  const before = makeKeys();
  await writeFeed(folder, { ...options, alsoSignedBy: before.privateKey });
  const bytes = readFileSync(join(folder, 'updates.json'));
  const signatures = readFileSync(join(folder, 'updates.json.sig'), 'utf8');
  const accepts = (key: string) => verifiedFeed(bytes, signatures, { key, now: Date.now(), seen: 0 }).version;
  expect([accepts(keys.publicKey), accepts(before.publicKey)]).toEqual(['1.2.3', '1.2.3']);
  expect(() => accepts(makeKeys().publicKey)).toThrow('update_signature_wrong');
  await expect(writeFeed(folder, { ...options, alsoSignedBy: 'no key' })).rejects.toThrow();
});

it('refuses packages of another version, and a folder without any', async () => {
  const old = packages('deepdesk-1.2.2-linux-x86_64.AppImage');
  await expect(writeFeed(old, options)).rejects.toThrow(/is not of version 1\.2\.3/);
  await expect(writeFeed(packages('deepdesk_1.2.3_amd64.deb'), options)).rejects.toThrow(/no package/);
});

it('takes the notes from the section of exactly that version', () => {
  const changelog =
    '# Changes\n\n## 1.2.30 (2027-02-01)\n\n- Later.\n\n## 1.2.3 (2027-01-01)\n\n- Faster.\n\n## 1.2.2\n\n- Old.\n';
  expect(notesFor(changelog, '1.2.3')).toBe('- Faster.');
  expect(() => notesFor(changelog, '1.2.4')).toThrow(/no section for 1\.2\.4/);
});
