// The menu of what can be saved: pictures of charts, the table of merges, the coloured text.

class Exports {
  constructor(root, player) {
    this.root = root;
    this.player = player;
  }

  load(pack) {
    this.pack = pack;
  }
}
