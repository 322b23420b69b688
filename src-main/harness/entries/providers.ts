// `@deepdesk/harness/providers`: sandboxes of providers, through the packages that they publish.
export { type OpenedSandbox, openSandbox } from '../backends/providers';
export type { ProviderKind, ProviderOptions } from '../backends/providers/options';
