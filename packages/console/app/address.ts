import { useLocation, useSearch } from 'wouter-preact';
import { defaultCollection, type Query } from './api';

const lastCollection = 'whetstone-collection';

/** The filters of a list and the page are in the address, so that it can be shared and gone back to. */
export function useQuery(): { get(name: string): string; set(changes: Query, replace?: boolean): void } {
  const search = new URLSearchParams(useSearch());
  const [path, navigate] = useLocation();
  return {
    get: (name) => search.get(name) ?? '',
    set(changes, replace = false) {
      navigate(path + queryText({ ...Object.fromEntries(search), ...changes }), { replace });
    },
  };
}

export function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value != null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** The collection that the page shows: that of the address, or the last one that was looked at. */
export function useCollection(): string {
  const named = useQuery().get('c');
  return named || readSetting(lastCollection) || defaultCollection;
}

export function rememberCollection(name: string): void {
  writeSetting(lastCollection, name);
}

export function hasChosenCollection(): boolean {
  return new URLSearchParams(location.search).has('c') || readSetting(lastCollection) !== '';
}

export function nameOf(collection: string): string {
  return collection === defaultCollection ? 'Default collection' : collection;
}

/** Browsers may forbid to keep anything. */
export function readSetting(name: string): string {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

export function writeSetting(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch (error) {
    console.warn(error);
  }
}
