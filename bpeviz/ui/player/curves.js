// Three curves over all merges: bytes per token, the winning count, vocabulary size against tokens.

class Curves {
  constructor(root, go) {
    this.go = go;
  }

  load(pack) {
    this.pack = pack;
  }

  show(step) {
    this.step = step;
  }
}
