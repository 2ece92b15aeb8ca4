"""The encoding of a text in the browser, merge by merge, and two orders of encoding side by side."""
