// The card of one token: the tree of merges that made it, and where it occurs.

class TokenCard {
  constructor(root, view, go) {
    this.view = view;
    this.go = go;
  }

  load(pack) {
    this.pack = pack;
  }

  show(step) {
    this.step = step;
  }
}
