"""What several components share: the loader, and the parts of the page that the browser draws."""
