// @ts-check

const isNewEnough = () =>
  "DecompressionStream" in window &&
  "popover" in HTMLElement.prototype &&
  CSS.supports("color", "light-dark(red, red)");

/** What to say in a browser that lacks what our pages need: data, menus or colours would be missing. Else empty. */
export const tooOld = () =>
  isNewEnough()
    ? ""
    : "This browser is too old. The page needs Chrome or Edge 123, Firefox 128, Safari 17.5, or a newer one.";
