/**
 * `@deepdesk/harness/testing`: for tests of agents and backends. The suites run in Vitest.
 *
 * @module
 */

export { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
export { describeBackend, type Tested } from '../backends/backend.contract';
export type { ProvidedSandbox } from '../backends/sandbox/cases/suite.contract';
export { describeSandbox, type SandboxSuite } from '../backends/sandbox/sandbox.contract';
