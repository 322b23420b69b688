import type { SecretKind } from '../contract/secrets';

export type { SecretKind } from '../contract/secrets';

/** The likely types of redacted values, in the model's text; the UI has its own labels. */
export const SECRET_KINDS: Record<SecretKind, string> = {
  'aws-key': 'AWS key',
  'github-token': 'GitHub token',
  'gitlab-token': 'GitLab token',
  'slack-token': 'Slack token',
  'stripe-key': 'Stripe key',
  'openai-key': 'OpenAI key',
  'anthropic-key': 'Anthropic key',
  'google-key': 'Google key',
  'npm-token': 'npm token',
  'service-token': 'service token',
  'private-key': 'private key',
  jwt: 'JSON web token',
  'azure-key': 'Azure key',
  'url-password': 'password in an address',
  bearer: 'authorization token',
  password: 'password',
  named: 'secret value',
  own: 'key of Deepdesk',
  file: 'file of keys or passwords',
};

/** A likely secret in a text: `text.slice(start, end)`, in UTF-16 units. */
export interface Found {
  start: number;
  end: number;
  kind: SecretKind;
}
