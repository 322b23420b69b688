import { reachOfName } from './addresses';

/** Why no page can have an address. */
export type AddressProblem = 'invalid' | 'scheme' | 'credentials' | 'own_network';

/** Maximum UTF-16 units. */
const MAX_ADDRESS = 8_000;

/** The address of a web page, in the canonical form that is requested: `http://2130706433/` is `http://127.0.0.1/`. */
export function pageAddress(text: unknown): URL | AddressProblem {
  if (typeof text !== 'string' || text.length > MAX_ADDRESS || !URL.canParse(text)) return 'invalid';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  const reach = reachOfName(url);
  return reach === null || reach === 'public' ? url : 'own_network';
}
