// Renderer tests share the document of their process. What a file changes of it is undone before the next file.
type Descriptors = Record<string, PropertyDescriptor>;

const KEPT = Symbol.for('deepdesk.one-document');
type Kept = Map<object, Descriptors>;

/** The document and the prototypes of all classes of the window. */
const changeable = (): readonly object[] => [
  document,
  ...new Set(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => /^(HTML|SVG)?\w*(Element|Node|Document|EventTarget|Range|Selection)$/.test(name))
      .map((name) => (Reflect.get(globalThis, name) as { prototype?: object } | undefined)?.prototype)
      .filter((prototype) => prototype !== undefined),
  ),
];

/** Remembers the document and its classes as they are, once for each process. */
export function rememberDocument(): void {
  const place = globalThis as { [KEPT]?: Kept };
  place[KEPT] ??= new Map(changeable().map((object) => [object, Object.getOwnPropertyDescriptors(object)]));
}

/** Makes the document and its classes what they were when they were remembered, without content and without storage. */
export function resetDocument(): void {
  for (const [object, before] of (globalThis as { [KEPT]?: Kept })[KEPT] ?? []) {
    const now: Descriptors = Object.getOwnPropertyDescriptors(object);
    for (const name of Object.keys(now)) if (!(name in before)) Reflect.deleteProperty(object, name);
    for (const [name, descriptor] of Object.entries(before))
      if (descriptor.configurable && !same(descriptor, now[name]))
        Object.defineProperty(object, name, descriptor);
  }
  for (const element of [document.documentElement, document.head, document.body]) {
    if (element !== document.documentElement) element.replaceChildren();
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  }
  localStorage.clear();
  sessionStorage.clear();
}

const same = (a: PropertyDescriptor, b: PropertyDescriptor | undefined): boolean =>
  b !== undefined && a.get === b.get && a.set === b.set && a.value === b.value;
