import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../../src-main/base/testing/cleanups';
import { root, run } from '../process.mjs';
import { isOnPath } from '../runtime/system-packages.mjs';

const PROFILE = join(root, 'packaging/linux/apparmor-profile');
const PARSER = 'apparmor_parser of AppArmor 4 or newer';

/** Only AppArmor 4 knows the rule `userns`. The test of the packages checks it in a clean Debian in any case. */
async function whyNoParser(): Promise<string | null> {
  if (!isOnPath('apparmor_parser')) return `there is no ${PARSER}`;
  const { output } = await run('apparmor_parser', ['--version']);
  const version = /version (\d+)/.exec(output)?.[1];
  return Number(version) >= 4 ? null : `this is AppArmor ${version ?? 'without a version'}, not ${PARSER}`;
}

const why = await whyNoParser();
const parse = (file: string) => run('apparmor_parser', ['--skip-kernel-load', '--skip-cache', file]);

describe.skipIf(why !== null)(`the AppArmor profile${why === null ? '' : ` (skipped: ${why})`}`, () => {
  it('is one that the parser accepts, and the parser would notice a mistake', async () => {
    expect(await parse(PROFILE)).toMatchObject({ code: 0 });
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-apparmor-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const wrong = join(folder, 'wrong');
    writeFileSync(wrong, readFileSync(PROFILE, 'utf8').replace('userns,', 'usernss,'));
    expect((await parse(wrong)).code).not.toBe(0);
  });
});

it('has a profile for the program that the packages install', () => {
  expect(readFileSync(PROFILE, 'utf8')).toMatch(/^profile deepdesk \/usr\/lib\/deepdesk\/deepdesk /m);
});
