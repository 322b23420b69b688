export { RemoteAgentsSection } from './remote-agents-section';
export { RemoteTasks } from './remote-tasks';
