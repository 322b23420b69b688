// The backends that the host starts with. The others, such as ssh/ and s3/, are imported when a place needs them.

export * from './commands';
export { CompositeBackend } from './composite';
export { scrubEnv } from './environment';
export { type Failure, failure, isFailure, systemCode, systemFailure } from './failure';
export { FilesystemBackend } from './filesystem';
export { type HeldDirectory, type OpenFile, RootGuard } from './guard';
export { LocalShellBackend } from './local-shell';
export { namespaces } from './namespace';
export { checkFile, checkPath } from './paths';
export { canHoldRules, PermissionBackend, PermissionRules, type Verdict } from './permissions';
export { PolicyBackend } from './policy';
export { ScreenedBackend, type ScreenedCall } from './policy-screen';
export * from './protocol';
export { StateBackend } from './state';
export { StoreBackend } from './store';
