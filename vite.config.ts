import { preact } from '@preact/preset-vite';
import { defineConfig } from 'vite';

// The dashboard only. `batchyard up` serves the built files; in development Vite serves them
// and passes what is not a page on to a running Batchyard.
export default defineConfig({
  root: 'src/dashboard',
  base: './',
  plugins: [preact()],
  build: { outDir: '../../dist/dashboard', emptyOutDir: true },
  server: { proxy: { '/api': 'http://127.0.0.1:7700' } },
});
