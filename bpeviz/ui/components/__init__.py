"""Parts of the page that the browser draws, and the messages they send."""
