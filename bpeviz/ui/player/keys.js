// The keyboard. Keys work wherever the page's focus is, unless it is in something that needs them itself.

const COMMANDS = { ArrowRight: "next", ArrowLeft: "back", " ": "play", Home: "first", End: "last" };

class Keys {
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.focusByPointer = false;
    this.onKey = (event) => this.key(event);
    this.onPointer = () => {
      this.focusByPointer = true;
    };
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("pointerdown", this.onPointer);
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("pointerdown", this.onPointer);
  }

  key(event) {
    if (event.key === "Tab") this.focusByPointer = false;
    if (!this.player.pack?.transport || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [target] = event.composedPath();
    if (target instanceof Element) {
      if (target.closest("input, textarea, select, [contenteditable], [role=grid], [role=dialog], [role=listbox]")) return;
      // A button reached by keyboard keeps space for itself; one clicked with the mouse does not.
      if (event.key === " " && !this.focusByPointer && target.matches("button, [role=tab], summary")) return;
      if (target !== this.root.querySelector(".curve") && target.matches("[role=slider], [role=tab], [role=radio]")) return;
      if (target.matches(".text") && (event.key === "Home" || event.key === "End")) return;
    }
    const name = COMMANDS[event.key];
    if (!name) return;
    event.preventDefault();
    this.player.command(name);
  }
}
