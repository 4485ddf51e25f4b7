import { readSetting, writeSetting } from './address';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const setting = 'whetstone-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function currentTheme(): Theme {
  return themes.find((theme) => theme === readSetting(setting)) ?? 'auto';
}

export function chooseTheme(theme: Theme): void {
  writeSetting(setting, theme);
  applyTheme();
}

/** Follows the system, unless somebody has chosen. */
export function followTheme(): void {
  applyTheme();
  system.addEventListener('change', applyTheme);
}

function applyTheme(): void {
  const theme = currentTheme();
  document.documentElement.dataset['theme'] = theme === 'auto' ? (system.matches ? 'dark' : 'light') : theme;
  for (const listener of listeners) listener();
}

/** For what is not drawn by the style sheet. Returns what ends it. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
