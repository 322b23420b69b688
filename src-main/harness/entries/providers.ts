/**
 * `@deepdesk/harness/providers`: provider sandboxes, through the providers' own packages.
 *
 * @module
 */

export { type OpenedSandbox, openSandbox } from '../backends/providers';
export type {
  Common as ProviderCommonOptions,
  ProviderKind,
  ProviderOptions,
} from '../backends/providers/options';
export type { VfsOptions } from '../backends/providers/vfs';
