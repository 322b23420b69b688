// Who makes Deepdesk and where it is found: project.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';

/**
 * @typedef {object} Project
 * @property {string} name
 * @property {string} appId the name of the app for macOS and Windows: a domain from its end
 * @property {string} maintainer
 * @property {string} email of the maintainer
 * @property {string} security the address for reports of vulnerabilities
 * @property {string} homepage
 * @property {string} repository
 * @property {string} updates the folder on the web with the update feed
 * @property {string} updateKey the public key that signs the feed, see docs/releasing.md; empty: the app does not update itself
 */

/** @returns {Project} */
export function project() {
  return JSON.parse(readFileSync(join(root, 'project.json'), 'utf8'));
}

/** The entries that still name nobody: their domain is reserved for examples. @param {Project} [from] */
export function placeholders(from = project()) {
  return Object.entries(from).flatMap(([key, value]) => (/(^|\.)example\b/.test(value) ? [key] : []));
}

/** @returns {{ name: string, version: string, description: string, license: string, devDependencies: Record<string, string> }} */
export function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}
