"""Buttons that save a chart of the page as SVG, PNG or HTML."""
