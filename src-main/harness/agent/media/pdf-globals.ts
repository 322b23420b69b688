// pdf.js can also draw: on load it looks for a canvas, and warns if there is none. Reading text needs none. This changes
// globals, so only the document worker may load it.
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} });
// With it, pdf.js would load a native canvas if one happens to be installed.
process.getBuiltinModule = () => undefined as never;
console.warn = () => undefined;
