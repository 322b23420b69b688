import { standardStreams } from './standard-streams';

/** The standard streams of this process. */
export const output = standardStreams(process);

export const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ');
