// The order in which Vitest runs the test files: the longest first, so that none of them runs alone at the end.
import { BaseSequencer } from 'vitest/node';

/** Files that take more than half a minute, the longest first. Vitest judges the others by their size, or by their last run. */
export const LONGEST = [
  'scripts/lint/documented-commands.servers.test.ts',
  'src-main/host/project/copies/private-copies-killed.servers.test.ts',
  'src-main/approvals/testing/ordinary-commands.servers.test.ts',
  'src-main/harness/sandbox/rehearsal/keep/keep-killed.servers.test.ts',
  'scripts/build/harness.servers.test.ts',
  'src-main/host/turns/soak.slow.test.ts',
  'src-main/host/turns/wire-faults.slow.test.ts',
  'src-main/harness/sandbox/rehearsal/large-folder.servers.test.ts',
  'src-main/harness/backends/sandbox/sandbox-standard.servers.test.ts',
  'src-main/harness/backends/sandbox/sandbox.slow.test.ts',
  'src-main/harness/backends/ssh/ssh-backend.servers.test.ts',
  'src-main/harness/backends/search/hostile-search.servers.test.ts',
  'src-main/harness/storage/postgres/two-processes.servers.test.ts',
  'src-main/harness/sandbox/rehearsal/keep/keep-exact.servers.test.ts',
  'src-main/host/project/changes/undo-of-kept.servers.test.ts',
  'src-main/storage/crash.slow.test.ts',
  'src-main/host/turns/steering-kills.slow.test.ts',
  'src-main/host/faults/faults.slow.test.ts',
  'src-main/host/agents/remote-agents.servers.test.ts',
  'src-main/harness/backends/providers/index.slow.test.ts',
  'src-main/host/approvals/rehearsal.slow.test.ts',
  'src-main/host/growth/leaks.servers.test.ts',
  'scripts/docs-api.servers.test.ts',
  'src-main/host/window/port-fuzz.slow.test.ts',
];

/** @param {string} moduleId */
export function rank(moduleId) {
  const index = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return index < 0 ? LONGEST.length : index;
}

export class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}
