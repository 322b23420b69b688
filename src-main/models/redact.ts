const REDACTED = '[redacted]';

/** Forms of keys and tokens, anywhere in the text. */
const KEY_FORMS = [
  /((?:api[-_ ]?key|authorization|token|secret|password)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;}[\]]{4,}/giu,
  /\b(bearer|basic)\s+[\w.~+/=-]{8,}/giu,
  /([?&](?:key|api_key|token|access_token|sig|signature|auth|code)=)[^&\s"'[]+/giu,
  // The password in an address.
  /(\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:/@"']{0,100}:)[^\s/@"']{1,200}(?=@)/giu,
  /(\b(?:set-)?cookie["']?\s*[:=]\s*["']?)[^"'\r\n[]+/giu,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/gu,
  /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/gu,
  /\b(?:sk|pk|rk|key|gsk|xai|hf|ghp|gho|glpat)[-_][\w*.…-]{7,}[\w*…-]/gu,
  /\b(?:AIza|ya29)[\w.-]{10,}/gu,
];

/** Long runs that may be a key if they hold both letters and digits and match no rule above. */
const LONG_RUN = /\b\w[\w-]{30,}\w\b/gu;
/** These stay, since a provider's support asks for them. */
const REQUEST_ID = /^(?:req[-_]|chatcmpl-|msg_|resp_)/iu;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/**
 * Removes everything that may be a key: known secrets, whole or as the provider abbreviates them, and anything that looks
 * like one.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, REDACTED);
  for (const form of KEY_FORMS) {
    clean = clean.replace(form, (whole: string, before: unknown) => {
      if (whole.includes(REDACTED)) return whole;
      return typeof before === 'string'
        ? `${before}${/[:=]\s*["']?$/u.test(before) ? '' : ' '}${REDACTED}`
        : REDACTED;
    });
  }
  return clean.replace(LONG_RUN, (run) => (mayBeKey(run) ? REDACTED : run));
}

const mayBeKey = (run: string) =>
  /\d/u.test(run) && /[a-z]/iu.test(run) && !REQUEST_ID.test(run) && !UUID.test(run);
