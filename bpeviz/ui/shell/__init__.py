"""What is around the pages: navigation, the menu of saved sessions, opening a saved session."""
