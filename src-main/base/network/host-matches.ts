/** Default ports of an allowed host without a port. */
const USUAL_PORTS = [80, 443];

/** Whether `pattern` (`example.com`, `*.example.com`, `localhost:8080`) matches a host and port. */
export function hostMatches(pattern: string, host: string, port: number): boolean {
  const cut = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase());
  const [, name = '', wanted] = cut ?? [];
  if (wanted === undefined ? !USUAL_PORTS.includes(port) : Number(wanted) !== port) return false;
  const asked = host.toLowerCase().replace(/\.$/, '');
  return name.startsWith('*.') ? asked.endsWith(name.slice(1)) && asked !== name.slice(2) : asked === name;
}
