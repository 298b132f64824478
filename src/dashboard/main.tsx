import './no-eval.ts';
import './tokens.css';
import './styles/page.css';
import './styles/header.css';
import './styles/controls.css';
import './styles/dialog.css';
import './styles/table.css';
import './styles/state.css';
import './styles/overview.css';
import './styles/task-list.css';
import './styles/task.css';
import './styles/output.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeys } from './keyboard.ts';

const root = document.getElementById('app');
if (root) {
  listenToKeys();
  render(<App />, root);
}
