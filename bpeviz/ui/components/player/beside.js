// A second run on the same text, drawn beside the first: both at the same step and scrolled together, each
// marking the boundaries that only it has.

class Beside {
  constructor(root, view) {
    this.shell = root.querySelector(".bpeviz");
    this.card = root.querySelector(".card.other");
    this.main = view;
    this.view = new TextView(this.card);
    this.details = new Details(this.card, this.view);
    this.main.onScroll = (offset, share) => this.pack && this.view.place(offset, share);
    this.view.onScroll = (offset, share) => this.main.place(offset, share);
  }

  stop() {
    this.view.stop();
    this.details.stop();
  }

  // `pack` is that of the first run, which may hold another.
  load(pack) {
    this.pack = pack.beside ?? null;
    this.card.hidden = !this.pack;
    this.shell.classList.toggle("two", this.pack !== null);
    this.main.rival = this.pack && { gaps: this.pack.gaps, step: 0 };
    if (!this.pack) return;
    this.card.querySelector(".title").textContent = this.pack.title;
    this.details.load(this.pack);
    this.view.rival = { gaps: pack.gaps, step: 0 };
    this.note(pack.start);
    this.view.load(this.pack, Math.min(pack.start, this.pack.num_merges));
  }

  // Before the first text is drawn at a step: where the other one will be.
  note(step) {
    if (!this.pack) return;
    this.main.rival.step = Math.min(step, this.pack.num_merges);
    this.view.rival.step = step;
  }

  draw(step) {
    if (!this.pack) return;
    // After its last merge only the other's boundaries move, which it must show all the same.
    this.view.draw(Math.min(step, this.pack.num_merges), step > this.pack.num_merges);
    this.details.stepped();
  }

  // The text that a person is in: the second where it holds the focus.
  holds(element) {
    return this.pack !== null && this.view.scroller.contains(element);
  }
}
