import { ADDRESS, BEGINNINGS, CREDENTIALS, formatsAt, isAddressPassword } from './formats';
import type { Found } from './kinds';
import { namedSecrets } from './named';
import { privateKeys } from './private-keys';

/**
 * The likely secrets in a text, in order, without overlaps: tokens of known services by their form, private keys, signed
 * tokens, passwords in addresses, and values with telling names. Runs in linear time.
 */
export function findSecrets(text: string): Found[] {
  const found = [...privateKeys(text), ...tokens(text), ...passwords(text), ...namedSecrets(text)];
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Found[] = [];
  for (const one of found) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    // An overlapping secret extends the previous one, since the rest is just as secret.
    else if (one.end > last.end) last.end = one.end;
  }
  return kept;
}

function* tokens(text: string): Generator<Found> {
  BEGINNINGS.lastIndex = 0;
  for (let match = BEGINNINGS.exec(text); match !== null; match = BEGINNINGS.exec(text)) {
    const start = match.index;
    for (const { kind, form, check } of formatsAt(match[0].charAt(0))) {
      form.lastIndex = start;
      const value = form.exec(text)?.[0];
      if (value === undefined) continue;
      // Skips the checked text even if it is not a secret.
      BEGINNINGS.lastIndex = start + value.length;
      if (check !== undefined && !check(value)) continue;
      yield { start, end: start + value.length, kind };
      break;
    }
  }
}

function* passwords(text: string): Generator<Found> {
  ADDRESS.lastIndex = 0;
  for (let match = ADDRESS.exec(text); match !== null; match = ADDRESS.exec(text)) {
    CREDENTIALS.lastIndex = ADDRESS.lastIndex;
    const [whole, password] = CREDENTIALS.exec(text) ?? [];
    if (whole === undefined || password === undefined || !isAddressPassword(password)) continue;
    const start = match.index + match[0].length + whole.lastIndexOf(`:${password}@`) + 1;
    yield { start, end: start + password.length, kind: 'url-password' };
  }
  AZURE.lastIndex = 0;
  for (let match = AZURE.exec(text); match !== null; match = AZURE.exec(text)) {
    const [whole, value = ''] = match;
    const start = match.index + whole.length - value.length;
    yield { start, end: start + value.length, kind: 'azure-key' };
  }
}

/** Azure connection strings: 64 or 32 bytes in base64. */
const AZURE = /(?:AccountKey|SharedAccessKey|SharedSecret)=([A-Za-z0-9+/]{43}(?:[A-Za-z0-9+/]{43})?={1,2})/g;
