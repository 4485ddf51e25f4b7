/** The built pages: `index.html`, and in `assets/` what it loads, named by content. */
export const consoleFolder = new URL('./app/', import.meta.url);
