// `@deepdesk/harness/sandbox`: sandboxes commands on this computer.
export {
  createSandbox,
  detectSandbox,
  type HostList,
  type SandboxFound,
  type SandboxOptions,
} from '../sandbox';
export * as rehearsal from '../sandbox/rehearsal';
