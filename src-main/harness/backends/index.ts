export { CompositeBackend } from './composite';
export { scrubEnv } from './environment';
export { LocalShellBackend } from './local-shell';
export { namespaces } from './namespace';
export { checkPath } from './paths';
export * from './protocol';
export { StateBackend } from './state';
export { StoreBackend } from './store';
