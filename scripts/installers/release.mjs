// The reasons why a package must not be published.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../process.mjs';
import { manifest, placeholders, project } from './project.mjs';

/**
 * @typedef {object} Facts
 * @property {string} electron the version that is packaged
 * @property {string} wanted the version that package.json names
 * @property {string} version of the app
 * @property {string} changelog
 * @property {string[]} placeholders entries of project.json that nobody has filled in
 * @property {string} changed uncommitted files, as `git status --porcelain` prints them
 * @property {string} tags of the commit, one a line
 */

/** The reasons against a release, as sentences without a period. @param {Facts} facts @returns {string[]} */
export function reasonsAgainst({ electron, wanted, version, changelog, placeholders, changed, tags }) {
  const reasons = [];
  if (electron !== wanted)
    reasons.push(`Electron ${electron} is not ${wanted}: an assembled Electron gets no security fixes`);
  if (placeholders.length > 0)
    reasons.push(`project.json still has placeholders: ${placeholders.join(', ')}`);
  const [, date] = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((.+)\\)$`, 'm').exec(changelog) ?? [];
  if (date === undefined) reasons.push(`CHANGELOG.md has no section for ${version}`);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(date))
    reasons.push(`CHANGELOG.md has no date for ${version}, but “${date}”`);
  if (changed.trim() !== '') reasons.push('there are uncommitted changes');
  if (!tags.split('\n').includes(`v${version}`)) reasons.push(`the commit has no tag v${version}`);
  return reasons;
}

/** Asks the repository. @param {string} electron the version that would be packaged */
export async function whyNoRelease(electron) {
  const { version, devDependencies } = manifest();
  return reasonsAgainst({
    electron,
    wanted: devDependencies.electron ?? '',
    version,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    placeholders: placeholders(project()),
    changed: (await run('git', ['status', '--porcelain'])).output,
    tags: (await run('git', ['tag', '--points-at', 'HEAD'])).output,
  });
}
