/** A file, folder or memory as a message names it: quoted if the name would otherwise end too early. */
export const mention = (name: string): string =>
  /[\s"@]|[.,;:!?)\]}'”’。，；：！？）】」]$/u.test(name) ? `@"${name}"` : `@${name}`;
