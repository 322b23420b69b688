export { ActivityDialog } from './activity-dialog';
