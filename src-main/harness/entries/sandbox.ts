/**
 * `@deepdesk/harness/sandbox`: sandboxes commands on this computer.
 *
 * @module
 */

export { isSecretEntry } from '../../base/secret-paths';
export {
  createSandbox,
  detectSandbox,
  type HostList,
  type SandboxFound,
  type SandboxOptions,
} from '../sandbox';
export type { Bridge } from '../sandbox/bridge';
export type { LayerPlaces } from '../sandbox/bubblewrap';
export type { DeniedPaths } from '../sandbox/denied';
export type { Feature, Lacking } from '../sandbox/detect';
export type { HiddenPlace } from '../sandbox/hidden';
export type { IsSecret } from '../sandbox/in-folder';
export type { LayerView } from '../sandbox/index';
export * as rehearsal from '../sandbox/rehearsal';
export type { PrepareOptions } from '../sandbox/rehearsal/layer/prepare';
export type { Toolchain } from '../sandbox/toolchains';
