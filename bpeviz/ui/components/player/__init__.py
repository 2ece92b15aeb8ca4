"""The merge player: a component that holds a text with its gap ranks and draws any step of it."""
