export { UsageMeter } from './usage-meter';
export { UsageSection } from './usage-section';
