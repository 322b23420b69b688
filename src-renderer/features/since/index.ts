export { SinceStrip } from './since-strip';
