import type { SecretKind } from './kinds';
import { entropy, isStandIn } from './variety';

interface Format {
  kind: SecretKind;
  /** Sticky, without nested repetition, so that a check at one place takes bounded time. */
  form: RegExp;
  check?: (value: string) => boolean;
}

/** The prefixes of all services' tokens. They are cheap to find, and only the text after them is checked. */
export const BEGINNINGS =
  /(?<![A-Za-z0-9_])(?:A[KS]IA|gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt|cbt|ft|soat)-|xox[abeprs]-|xapp-|https:\/\/hooks\.slack\.com\/|[sr]k_(?:live|test)_|whsec_|sk-|AIza|ya29\.|GOCSPX-|npm_|pypi-|hf_|SG\.|dop_v1_|shp(?:at|ca|pa|ss)_|AGE-SECRET-KEY-1|xai-|gsk_|glsa_|glc_|lin_api_|ntn_|figd_|hvs\.|dp\.(?:pt|st|ct)\.|pul-|nfp_|sbp_|sntry[su]_|r8_|pplx-|sq0(?:atp|csp)-|do[or]_v1_|HRKU-|NRAK-|PMAK-|rubygems_|dckr_pat_|bkua_|CCIPAT_|tskey-|ops_eyJ|ATATT3|dapi|pscale_tkn_|eyJ)/g;

const varied = (least: number) => (value: string) => entropy(value) >= least;

/** Tried in this order after a prefix was found. */
const FORMATS: readonly Format[] = [
  { kind: 'aws-key', form: /A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])/y, check: varied(2.5) },
  { kind: 'github-token', form: /gh[pousr]_[A-Za-z0-9]{36,255}/y, check: varied(3) },
  { kind: 'github-token', form: /github_pat_[A-Za-z0-9_]{36,255}/y, check: varied(3) },
  {
    kind: 'gitlab-token',
    form: /gl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_.-]{20,200}/y,
    check: varied(3),
  },
  { kind: 'slack-token', form: /xox[abeprs]-[A-Za-z0-9-]{10,255}/y, check: (value) => /\d/.test(value) },
  { kind: 'slack-token', form: /xapp-\d-[A-Za-z0-9-]{20,255}/y },
  {
    kind: 'slack-token',
    form: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{30,120}/y,
    check: varied(3.5),
  },
  { kind: 'stripe-key', form: /[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}/y, check: varied(3) },
  { kind: 'stripe-key', form: /whsec_[A-Za-z0-9+/=]{24,100}/y, check: varied(3) },
  { kind: 'anthropic-key', form: /sk-ant-[A-Za-z0-9_-]{20,255}/y, check: varied(3) },
  { kind: 'openai-key', form: /sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,255}/y, check: varied(3) },
  {
    kind: 'openai-key',
    form: /sk-[A-Za-z0-9]{20,100}(?![A-Za-z0-9-])/y,
    check: (value) => /\d/.test(value) && entropy(value) >= 3.2,
  },
  { kind: 'google-key', form: /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y, check: varied(3) },
  { kind: 'google-key', form: /ya29\.[A-Za-z0-9_-]{30,1024}/y, check: varied(3.5) },
  { kind: 'google-key', form: /GOCSPX-[A-Za-z0-9_-]{28}/y, check: varied(3) },
  { kind: 'npm-token', form: /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y, check: varied(3) },
  { kind: 'service-token', form: /pypi-[A-Za-z0-9_-]{50,1024}/y, check: varied(3) },
  { kind: 'service-token', form: /hf_[A-Za-z0-9]{30,80}/y, check: varied(3.2) },
  { kind: 'service-token', form: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}/y },
  { kind: 'service-token', form: /dop_v1_[a-f0-9]{64}/y },
  { kind: 'service-token', form: /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/y },
  { kind: 'service-token', form: /AGE-SECRET-KEY-1[A-Z0-9]{50,70}/y },
  { kind: 'service-token', form: /xai-[A-Za-z0-9]{40,120}/y, check: varied(3.5) },
  { kind: 'service-token', form: /gsk_[A-Za-z0-9]{40,120}/y, check: varied(3.5) },
  // Grafana, Linear, Notion, Figma, Vault, Doppler, Pulumi, Netlify, Supabase, Sentry, Replicate and others.
  { kind: 'service-token', form: /gl(?:sa|c)_[A-Za-z0-9+/_]{32,400}={0,2}/y, check: varied(3.2) },
  { kind: 'service-token', form: /lin_api_[A-Za-z0-9]{40}/y, check: varied(3.2) },
  { kind: 'service-token', form: /ntn_[A-Za-z0-9]{40,60}/y, check: varied(3.2) },
  { kind: 'service-token', form: /figd_[A-Za-z0-9_-]{38,60}/y, check: varied(3.2) },
  { kind: 'service-token', form: /hvs\.[A-Za-z0-9_-]{24,200}/y, check: varied(3.2) },
  { kind: 'service-token', form: /dp\.(?:pt|st|ct)\.[A-Za-z0-9._-]{40,80}/y, check: varied(3.2) },
  { kind: 'service-token', form: /pul-[a-f0-9]{40}(?![a-f0-9])/y, check: varied(3) },
  { kind: 'service-token', form: /nfp_[A-Za-z0-9]{36,60}/y, check: varied(3.2) },
  { kind: 'service-token', form: /sbp_[a-f0-9]{40}/y, check: varied(3) },
  { kind: 'service-token', form: /r8_[A-Za-z0-9]{37}/y, check: varied(3.2) },
  { kind: 'service-token', form: /sntry[su]_[A-Za-z0-9_=+/]{40,400}/y, check: varied(3.2) },
  { kind: 'service-token', form: /pplx-[A-Za-z0-9]{40,64}/y, check: varied(3.2) },
  { kind: 'service-token', form: /sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}/y, check: varied(3) },
  { kind: 'service-token', form: /do[or]_v1_[a-f0-9]{64}/y },
  { kind: 'service-token', form: /HRKU-[A-Za-z0-9_-]{30,80}/y, check: varied(3) },
  { kind: 'service-token', form: /NRAK-[A-Z0-9]{27}/y, check: varied(3) },
  { kind: 'service-token', form: /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/y, check: varied(3) },
  { kind: 'service-token', form: /rubygems_[a-f0-9]{48}/y },
  { kind: 'service-token', form: /dckr_pat_[A-Za-z0-9_-]{27,40}/y, check: varied(3) },
  { kind: 'service-token', form: /bkua_[a-f0-9]{40}/y, check: varied(3) },
  { kind: 'service-token', form: /CCIPAT_[A-Za-z0-9_]{40,80}/y, check: varied(3) },
  { kind: 'service-token', form: /tskey-[a-z]{3,10}-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,60}/y },
  { kind: 'service-token', form: /ops_eyJ[A-Za-z0-9_-]{100,2000}/y },
  { kind: 'service-token', form: /ATATT3[A-Za-z0-9_=-]{50,300}/y, check: varied(3.5) },
  { kind: 'service-token', form: /dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])/y, check: varied(3) },
  { kind: 'service-token', form: /pscale_tkn_[A-Za-z0-9._-]{32,64}/y, check: varied(3) },
  {
    kind: 'jwt',
    form: /eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{16,2048}/y,
    check: isSigned,
  },
];

const byFirst = new Map<string, Format[]>();
for (const format of FORMATS) {
  const [, several, one] = /^(?:\[([a-z]+)\]|(.))/.exec(format.form.source) ?? [];
  for (const first of several ?? one ?? '') byFirst.set(first, [...(byFirst.get(first) ?? []), format]);
}

/** Those that can start with a given character. */
export const formatsAt = (first: string): readonly Format[] => byFirst.get(first) ?? [];

/** Maximum length of a form, in UTF-16 units. */
export const MAX_FORM_LENGTH = 12_300;

/** The header of a JSON web token names its signature algorithm. */
function isSigned(token: string): boolean {
  const head = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8');
  return /"alg"\s*:/.test(head);
}

/** `scheme://user:password@host`, starting with the scheme. */
export const ADDRESS =
  /(?<![A-Za-z0-9])(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|clickhouse|https?|ftps?|smtps?|ldaps?|nats|kafka)(?:\+[a-z0-9]{2,12})?:\/\//gi;
export const CREDENTIALS = /[^\s:@/"'`<>{}$]{0,128}:([^\s@/"'`<>]{3,256})@[A-Za-z0-9[$]/y;

/** A password in an address that is neither a placeholder nor the usual word in examples. */
export const isAddressPassword = (value: string): boolean => !/[${}]/.test(value) && !isStandIn(value);
