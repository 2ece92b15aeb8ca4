"""One package per page. A page imports no other page."""
