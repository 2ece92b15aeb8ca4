// @ts-check
// Draws nothing. With it on the page, the browser loads what Streamlit needs for components: see preload.py.

export default function () {}
