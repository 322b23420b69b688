const OFFICE = 'http://schemas.openxmlformats.org';
const STRICT = 'http://purl.oclc.org/ooxml';
const OPEN = 'urn:oasis:names:tc:opendocument:xmlns';

/** The prefixes by which the readers of documents know elements. */
const USUAL: ReadonlyMap<string, string> = new Map([
  [`${OFFICE}/wordprocessingml/2006/main`, 'w'],
  [`${STRICT}/wordprocessingml/main`, 'w'],
  [`${OFFICE}/drawingml/2006/main`, 'a'],
  [`${STRICT}/drawingml/main`, 'a'],
  [`${OFFICE}/presentationml/2006/main`, 'p'],
  [`${STRICT}/presentationml/main`, 'p'],
  [`${OFFICE}/officeDocument/2006/relationships`, 'r'],
  [`${STRICT}/officeDocument/relationships`, 'r'],
  [`${OFFICE}/officeDocument/2006/math`, 'm'],
  [`${STRICT}/officeDocument/math`, 'm'],
  [`${OFFICE}/markup-compatibility/2006`, 'mc'],
  [`${OPEN}:text:1.0`, 'text'],
  [`${OPEN}:table:1.0`, 'table'],
  [`${OPEN}:office:1.0`, 'office'],
  [`${OPEN}:style:1.0`, 'style'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
]);
/** UTF-16 units in which a document declares its prefixes. */
const HEAD = 20_000;

/** The XML with the usual prefixes: programs choose others, as Python's ElementTree does with `ns0`. */
export function withUsualPrefixes(xml: string): string {
  const declared = [...xml.slice(0, HEAD).matchAll(/\sxmlns(?::([\w.-]+))?=(?:"([^"]*)"|'([^']*)')/gu)];
  const taken = new Set(declared.map(([, prefix]) => prefix));
  let renamed = xml;
  for (const [, prefix, double, single] of declared) {
    const usual = USUAL.get(double ?? single ?? '');
    if (usual === undefined || prefix === usual || taken.has(usual)) continue;
    taken.add(usual);
    renamed =
      prefix === undefined
        ? renamed.replaceAll(/<(\/?)([A-Za-z_][\w.-]*)(?=[\s/>])/gu, `<$1${usual}:$2`)
        : renamed
            .replaceAll(`<${prefix}:`, `<${usual}:`)
            .replaceAll(`</${prefix}:`, `</${usual}:`)
            .replaceAll(` ${prefix}:`, ` ${usual}:`);
  }
  return renamed;
}
