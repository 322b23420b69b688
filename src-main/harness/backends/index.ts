// The backends that the host starts with. The others, such as ssh/ and s3/, are imported when a place needs them.

export * from './commands';
export { CompositeBackend } from './composite';
export { type HeldDirectory, type OpenFile, RootGuard } from './disk/guard';
export {
  type Failure,
  failure,
  isFailure,
  orUnknown,
  systemCode,
  systemFailure,
  UnknownTarget,
} from './failure';
export { FilesystemBackend } from './filesystem';
export { namespaces } from './namespace';
export { checkFile, checkPath } from './paths';
export { canHoldRules, PermissionBackend, PermissionRules, type Verdict } from './policy/permissions';
export { PolicyBackend } from './policy/policy';
export { ScreenedBackend, type ScreenedCall } from './policy/policy-screen';
export * from './protocol';
export { scrubEnv } from './shell/environment';
export { LocalShellBackend } from './shell/local-shell';
export { StateBackend } from './state';
export { StoreBackend } from './store/store';
