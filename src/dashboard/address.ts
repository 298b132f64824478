import { computed, signal } from '@preact/signals';
import { type Place, type Route, toHash, toRoute } from './route.ts';

/** Where the reader is; follows the address bar. */
export const route = signal<Route>(toRoute(location.hash));
export const namespace = computed(() => route.value.namespace);

addEventListener('hashchange', () => {
  route.value = toRoute(location.hash);
});

/** The link to a place in the namespace that is being looked at. */
export function linkTo(place: Place): string {
  return toHash(place, namespace.value);
}

export function goTo(place: Place): void {
  location.hash = linkTo(place);
}

/** Changes the address without a step in the history: for filters that change with each letter. */
export function replacePlace(place: Place): void {
  history.replaceState(null, '', linkTo(place));
  route.value = toRoute(location.hash);
}
