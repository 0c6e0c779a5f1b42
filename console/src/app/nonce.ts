declare global {
  /** Read by the library that locks the scrolling below a dialog. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce of the page, which the content policy requires of `<style>` elements. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

globalThis.__webpack_nonce__ = nonce;
