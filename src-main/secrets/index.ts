export { SecretStream } from './stream';
export { hasPlaceholder, type KnownSecret, type TextSource, ThreadSecrets } from './thread-secrets';
