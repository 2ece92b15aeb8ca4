// The merge player. Python sends a pack once a run; every step after that is drawn here from gap ranks.
// The step goes back to Python while the player moves, at most every 250 ms and less often where the page is
// slow to follow; and once it has settled, when all that the page says of a step is worth drawing.

const REPORT_EVERY = 250; // milliseconds, at least
const REPORT_EVERY_AT_MOST = 1000;
// The page redraws its chart after a report, which can hold up a frame. While playing, reports keep so far
// apart that those hold-ups take about a twelfth of the time.
const STALL_SHARE = 12;
const SETTLED_AFTER = 350; // milliseconds without a step
// Streamlit may lose the press of a button elsewhere on the page that comes along with a report.
const AFTER_A_PRESS = 400; // milliseconds
const PRESSES = ["pointerdown", "keydown"];

class Player {
  constructor(root) {
    this.root = root;
    this.shell = root.querySelector(".bpeviz");
    const card = root.querySelector(".card.main");
    this.view = new TextView(card);
    this.details = new Details(card, this.view);
    this.beside = new Beside(root, this.view);
    this.tokenCard = new TokenCard(root, this.view, (step) => this.jump(step));
    this.beside.view.onPick = ({ start, end }) => this.tokenCard.pickSpelling(binary(this.pack.text.subarray(start, end)));
    this.curve = new Curve(root, (step) => this.go(step));
    this.curves = new Curves(root, (step) => this.jump(step));
    this.exports = new Exports(root, this);
    this.stepField = root.querySelector(".step");
    this.tiles = new Map([...root.querySelectorAll("[data-tile]")].map((tile) => [tile.dataset.tile, tile]));
    this.playButton = root.querySelector(".play");
    this.step = 0;
    this.frame = null; // the animation frame asked for while playing
    this.reported = null; // what Python was told last
    this.reportedAt = 0;
    this.movedAt = -Infinity;
    this.heldUntil = 0;
    this.onPress = (event) => {
      const presses = event.type === "pointerdown" || event.key === "Enter" || event.key === " ";
      if (presses && !event.composedPath().includes(root)) this.heldUntil = performance.now() + AFTER_A_PRESS;
    };
    for (const press of PRESSES) document.addEventListener(press, this.onPress, { capture: true });
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.command(button.dataset.go));
    }
    // Ten merges a second are more movement than such a person asked for.
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) root.querySelector(".speed").value = "2";
    this.stepField.addEventListener("change", () => this.typed());
    this.stepField.addEventListener("keydown", (event) => {
      // Leave the field, so that it shows the step again and keys step.
      if (event.key === "Enter" || event.key === "Escape") this.stepField.blur();
    });
    this.keys = new Keys(root, this);
  }

  load(bytes) {
    this.pause();
    this.pack = readPack(bytes);
    this.last = this.pack.num_merges;
    this.step = Math.min(this.pack.start, this.last);
    this.reported = { step: this.step, moving: false };
    this.root.querySelector(".title").textContent = this.pack.title;
    this.root.querySelector(".of").textContent = this.last.toLocaleString("en");
    this.stepField.max = String(this.last);
    this.beside.load(this.pack);
    this.view.load(this.pack, this.step);
    this.details.load(this.pack);
    this.exports.load(this.pack);
    this.tokenCard.load(this.pack);
    this.curve.load(this.pack);
    this.curves.load(this.pack);
    document.bpevizPlayer = this;
    this.comeBack();
    this.show();
  }

  // The text that the person is in, and what tells of its tokens.
  get reading() {
    return this.inSecond ? this.beside.view : this.view;
  }

  get readingDetails() {
    return this.inSecond ? this.beside.details : this.details;
  }

  get inSecond() {
    return this.beside.holds(this.root.activeElement);
  }

  // A new text is seen from its top, however far down the button was that started it; one seen before, by
  // another run, where it was left.
  comeBack() {
    const { text } = this.pack;
    if (lastSeen.text && sameBytes(lastSeen.text, text)) this.view.place(lastSeen.offset, lastSeen.share);
    else this.root.host?.closest("[data-testid=stMain]")?.scrollTo(0, 0);
    lastSeen.text = text;
    this.beside.pack && this.beside.view.place(...this.view.placeNow());
  }

  typed() {
    this.pause();
    const step = Math.round(Number(this.stepField.value));
    this.stepField.blur();
    this.go(this.stepField.value === "" || Number.isNaN(step) ? this.step : step);
  }

  stop() {
    if (document.bpevizPlayer === this) delete document.bpevizPlayer;
    if (this.pack) [lastSeen.offset, lastSeen.share] = this.view.placeNow();
    this.pause();
    clearTimeout(this.reportTimer);
    for (const press of PRESSES) document.removeEventListener(press, this.onPress, { capture: true });
    this.keys.stop();
    this.view.stop();
    this.details.stop();
    this.beside.stop();
    this.curves.stop();
    this.exports.stop();
  }

  go(step) {
    const target = Math.max(0, Math.min(this.last, step));
    if (target === this.step) return this.show();
    this.step = target;
    this.movedAt = performance.now();
    this.show();
    this.beside.note(target);
    this.view.draw(target);
    this.details.stepped();
    this.beside.draw(target);
    this.tokenCard.show(target);
    this.report();
  }

  // Go to a step that was chosen by itself, not reached by playing on.
  jump(step) {
    this.pause();
    this.go(step);
  }

  command(name) {
    if (name === "play") return this.frame === null ? this.play() : this.pause();
    this.pause();
    if (name === "keys") return this.keys.list.open();
    if (name === "next-change") return this.follow(this.changeInView("stepOfNextChange", Math.min), "No later merge changes what is in view.");
    if (name === "latest-change") return this.follow(this.changeInView("stepOfLatestChange", Math.max), "No earlier merge changed what is in view.");
    this.go({ first: 0, back: this.step - 1, next: this.step + 1, last: this.last }[name]);
  }

  // The nearest step at which one of the texts in view changes, null if none does.
  changeInView(ask, nearest) {
    const views = this.beside.pack ? [this.view, this.beside.view] : [this.view];
    const steps = views.map((view) => view[ask]()).filter((step) => step !== null && step <= this.last);
    return steps.length ? nearest(...steps) : null;
  }

  // Go where something in view changes; where nothing does, say so until the next step.
  follow(step, otherwise) {
    if (step === null) this.root.querySelector(".say").replaceChildren(otherwise);
    else this.go(step);
  }

  play() {
    if (this.step >= this.last) this.go(0);
    this.setPlaying(true);
    let before = null;
    let owed = 0; // merges due, in fractions
    this.longestFrame = 0;
    const tick = (now) => {
      if (before !== null) this.longestFrame = Math.max(this.longestFrame, now - before);
      owed += before === null ? 1 : ((now - before) / 1000) * Number(this.root.querySelector(".speed").value);
      before = now;
      if (owed >= 1) {
        this.go(this.step + Math.floor(owed));
        owed %= 1;
      }
      if (this.step >= this.last) return this.pause();
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  pause() {
    if (this.frame === null) return;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.setPlaying(false);
    this.report();
  }

  setPlaying(playing) {
    this.playButton.textContent = playing ? "❚❚ Pause" : "▶\ufe0e Play";
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.root.querySelector(".say").setAttribute("aria-live", playing ? "off" : "polite");
  }

  // Tell Python where the player is: on its way at most every so often, and once it has settled.
  report() {
    clearTimeout(this.reportTimer);
    const now = performance.now();
    const playing = this.frame !== null;
    const untilSettled = playing ? Infinity : this.movedAt + SETTLED_AFTER - now;
    const held = this.heldUntil - now;
    if (untilSettled <= 0 && held <= 0) return this.tell(false);
    const apart = playing ? Math.min(REPORT_EVERY_AT_MOST, this.longestFrame * STALL_SHARE) : 0;
    const untilNext = this.reportedAt + Math.max(REPORT_EVERY, apart) - now;
    if (untilNext <= 0 && held <= 0) this.tell(true);
    const wait = Math.max(held, untilNext > 0 ? Math.min(untilNext, untilSettled) : untilSettled);
    if (wait < Infinity) this.reportTimer = setTimeout(() => this.report(), wait);
  }

  tell(moving) {
    const { step, reported } = this;
    if (reported.step === step && (reported.moving === moving || moving)) return;
    this.reported = { step, moving };
    this.reportedAt = performance.now();
    this.longestFrame = 0;
    this.setStateValue("at", this.reported);
  }

  show() {
    const { step } = this;
    const typing = this.root.activeElement === this.stepField && this.frame === null;
    if (!typing) this.stepField.value = String(step);
    this.curve.show(step);
    this.curves.show(step);
    this.say();
    const total = this.pack.totals[step];
    this.tile("merges", step);
    this.tile("vocabulary", this.pack.vocab_sizes[step]);
    this.tile("tokens", total);
    this.tile("ratio", this.pack.text_bytes / total, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }

  tile(name, value, format) {
    this.tiles.get(name).textContent = value.toLocaleString("en", format);
  }

  // One sentence: what happens next, and why this pair.
  say() {
    const { pack, step } = this;
    const say = this.root.querySelector(".say");
    if (step >= this.last) {
      say.replaceChildren(pack.stop_reason);
      return;
    }
    const label = (id) => element("b", pack.labels[id]);
    const count = pack.counts[step];
    const tied = pack.tied[step];
    const why = pack.chosen.includes(step)
      ? "You chose it, whatever the recipe would do."
      : tied > 1
        ? `${tied.toLocaleString("en")} pairs share that count; this recipe takes ${pack.tie_sentence}.`
        : "No other pair is as frequent.";
    say.replaceChildren(
      `Merge ${(step + 1).toLocaleString("en")} joins `,
      label(pack.lefts[step]),
      " + ",
      label(pack.rights[step]),
      " into ",
      label(pack.ids[step]),
      `, seen ${count === 1 ? "once" : `${count.toLocaleString("en")} times`}. ${why}${this.overlap(count)}`,
    );
  }

  // Counting takes neighbours that overlap, merging cannot.
  overlap(count) {
    const { totals } = this.pack;
    const replaced = totals[this.step] - totals[this.step + 1];
    if (replaced === count) return "";
    return ` Some overlap, as in a + a + a: ${replaced.toLocaleString("en")} can be replaced.`;
  }
}

// The text that was on show last, and where: a new player of another run on it starts there.
const lastSeen = { text: null, offset: 0, share: 0 };

// Streamlit calls this again on the same element when the data or the theme changes, without cleaning up.
export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const player = (parentElement.bpevizPlayer ??= new Player(parentElement));
  player.setStateValue = setStateValue;
  if (player.bytes !== data && !sameBytes(player.bytes, data)) {
    player.bytes = data;
    player.load(data);
  }
  return () => {
    player.stop();
    delete parentElement.bpevizPlayer;
  };
}
