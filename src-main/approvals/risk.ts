import { Risk } from '../contract/control';

/** All levels, the lowest first. */
export const RISKS: readonly Risk[] = Risk.options;

export const higherRisk = (a: Risk, b: Risk): Risk => (RISKS.indexOf(a) > RISKS.indexOf(b) ? a : b);
