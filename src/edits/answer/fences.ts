export { splitFences } from '../../webview/shared/markdownFences.ts';
