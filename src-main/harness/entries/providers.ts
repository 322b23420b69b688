// `@deepdesk/harness/providers`: provider sandboxes, through the providers' own packages.
export { type OpenedSandbox, openSandbox } from '../backends/providers';
export type { ProviderKind, ProviderOptions } from '../backends/providers/options';
