export { CompositeBackend, type CompositeBackendOptions } from './composite';
export { FilesystemBackend, type FilesystemBackendOptions } from './filesystem';
export { type CheckedPath, checkPath, isWithin } from './paths';
export * from './protocol';
export { fileDataReducer, StateBackend, type StateBackendOptions, type StateFiles } from './state';
