/** A text, or its plural forms if it contains a count; `count` selects one. */
export type Entry = string | { readonly one: string; readonly other: string };

/** The same keys as in another language's file. A language without plural forms may provide one text. */
export type Same<T> = { readonly [K in keyof T]: Entry };

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The `{names}` in a text. */
export type NamesIn<E> = E extends string
  ? Names<E>
  : E extends { other: infer O }
    ? Names<O> | 'count'
    : never;
