export { secretValues } from './environment';
export { findSecrets } from './find';
export { SecretStream } from './stream';
export { hasPlaceholder, type TextSource, ThreadSecrets } from './thread-secrets';
