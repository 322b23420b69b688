// The places outside of project.json that name who makes Deepdesk and where it is found.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';
import { project } from './project.mjs';

/** @typedef {import('./project.mjs').Project} Project */

const ADDRESS = /(?<=<)[^<>\s]+@[^<>\s]+(?=>)/g;

/** @type {Record<string, (text: string, project: Project) => string>} */
const FILES = {
  // Entries that are there keep their place.
  'package.json': (text, { maintainer, email, homepage, repository }) => {
    const filled = {
      ...JSON.parse(text),
      author: `${maintainer} <${email}>`,
      homepage,
      repository: { type: 'git', url: `${repository}.git` },
      bugs: `${repository}/issues`,
    };
    return `${JSON.stringify(filled, null, 2)}\n`;
  },
  'SECURITY.md': (text, { security }) => text.replace(ADDRESS, security),
  'CODE_OF_CONDUCT.md': (text, { email }) => text.replace(ADDRESS, email),
  '.github/ISSUE_TEMPLATE/config.yml': (text, { repository }) =>
    text.replace(/(?<=url: )\S+(?=\/security\/policy)/, repository),
};

/** The files whose text project.json decides. */
export const FILLED_FILES = Object.keys(FILES);

/** A file with the names and addresses of a project. @param {string} file @param {string} text @param {Project} project */
export function filledIn(file, text, project) {
  return FILES[file]?.(text, project) ?? text;
}

/** Writes them into every file. @returns {string[]} the files that changed */
export function fillIn() {
  return FILLED_FILES.filter((file) => {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const filled = filledIn(file, text, project());
    if (filled !== text) writeFileSync(path, filled);
    return filled !== text;
  });
}
