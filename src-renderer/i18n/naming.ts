import { shortName } from '../ui';
import type { Key, Params, Translate } from './translate';

/** A message that names things, with long names shortened. `full` has them whole. */
export function naming<K extends Key>(t: Translate, key: K, ...values: Params<K>) {
  const full = t(key, ...values);
  const short = Object.entries(values[0] ?? {}).map(([name, value]) => [name, shortName(String(value))]);
  const text = t(key, ...([Object.fromEntries(short)] as unknown as Params<K>));
  return text === full ? full : { text, full };
}
