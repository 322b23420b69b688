// The arguments of a script: what a person mistypes is answered with its usage, not with a stack trace.
import { parseArgs } from 'node:util';

/**
 * Parses the arguments. Prints the usage and exits for `--help`, and with status 2 for anything that the script does not take.
 * @template {import('node:util').ParseArgsConfig} T
 * @param {T} config
 * @param {string} usage
 */
export function readArguments(config, usage) {
  if (process.argv.slice(2).includes('--help')) {
    console.log(`usage: ${usage}`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return refuse(problem.replace(/\.$/, ''), usage);
  }
}

/** @param {string} problem @param {string} usage @returns {never} */
export function refuse(problem, usage) {
  console.error(`${problem}\nusage: ${usage}`);
  process.exit(2);
}
