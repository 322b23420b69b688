// The recorded journeys, and the comparison of two folders of recordings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { transcript } from './transcript.mjs';

export const SPECS = [
  'approvals',
  'composer',
  'conversation',
  'conversation-content',
  'demo',
  'failures',
  'faults',
  'headless',
  'hostile-repository',
  'inbox',
  'memories',
  'memories-more',
  'threads',
];

/**
 * Journeys of these files whose recordings differ between runs.
 * @type {{ spec: string, title: string, reason: string }[]}
 */
export const LEFT_OUT = [
  {
    spec: 'headless',
    title: 'survives a kill after line',
    reason: 'How much the command printed and asked before it was killed depends on time.',
  },
  {
    spec: 'faults',
    title: 'a renderer that crashes while an answer streams shows the whole answer once',
    reason: 'How much of the answer the page gets before it dies, and after it is back, depends on time.',
  },
  {
    spec: 'inbox',
    title:
      'approvals of two threads survive a kill, and one given in the inbox runs its command exactly once',
    reason: 'Whether the window opens a thread before its turn continues depends on timing.',
  },
];

/**
 * @param {string} before
 * @param {string} after
 */
export function compareFolders(before, after) {
  const names = new Set([before, after].flatMap(recordingsIn));
  const differences = [...names].sort().flatMap((name) => {
    const difference = compareFiles(name, join(before, name), join(after, name));
    return difference === null ? [] : [difference];
  });
  return { compared: names.size, differences };
}

/** @param {string} folder */
function recordingsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'));
}

/**
 * @param {string} name
 * @param {string} before
 * @param {string} after
 */
function compareFiles(name, before, after) {
  const missing = [before, after].find((path) => !existsSync(path));
  if (missing !== undefined) return `${missing} is not recorded\n`;
  const [old, now] = [before, after].map((path) =>
    inLines(transcript(JSON.parse(readFileSync(path, 'utf8')))),
  );
  return old === now ? null : createTwoFilesPatch(`before/${name}`, `after/${name}`, old ?? '', now ?? '');
}

/**
 * Puts each line of a text on a separate line, so that a difference shows the line and not the whole text.
 * @param {string} json
 */
const inLines = (json) => json.replaceAll('\\n', '\\n\n');
