export { UsageMeter } from './usage-meter';
