"""What several components share: the loader, and parts that the browser draws."""
