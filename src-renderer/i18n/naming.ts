import { shortName } from '../ui';
import type { Key, Params, Translate } from './translate';

/** A message that names things, with long names shortened. `full` has them whole. */
export function naming<K extends Key>(t: Translate, key: K, ...values: Params<K>) {
  const full = t(key, ...values);
  const short = structuredClone(values);
  for (const [name, value] of Object.entries(short[0] ?? {}))
    if (typeof value === 'string') Object.assign(short[0] ?? {}, { [name]: shortName(value) });
  const text = t(key, ...short);
  return text === full ? full : { text, full };
}
