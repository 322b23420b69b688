// `@deepdesk/harness/testing`: for tests of agents and backends. The contract suite runs in Vitest.
export { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
export { describeBackend, type Tested } from '../backends/backend.contract';
