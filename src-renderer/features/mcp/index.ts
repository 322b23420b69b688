export { McpSection } from './mcp-section';
