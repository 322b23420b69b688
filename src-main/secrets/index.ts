export { secretValues } from './environment';
export { SecretStream } from './stream';
export { hasPlaceholder, type TextSource, ThreadSecrets } from './thread-secrets';
