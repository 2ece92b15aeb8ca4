// Types that several modules name, and what this app adds to the browser's own types.

/** A token that occurs in a text: its bytes from `start` up to `end`; `latest` is the highest gap rank inside,
 * which is the rank of the merge that made it, -1 for a base symbol. */
export interface Token {
  start: number;
  end: number;
  latest: number;
}

/** The element that shows a token. For bytes in no token, `latest` is null. */
export type Cell = HTMLElement & { token: Token };

/** The element of a line, or of a piece of a long one. As drawn last: the byte that it begins with, and what says where
 * its rows end, null if that changes. */
export type Block = HTMLElement & { start: number; rows: string | null };

/** A text with a gap rank after each byte. */
export interface RankedText {
  text: Uint8Array;
  gaps: Int32Array;
}

/** The data for the ids of tokens. The keys of `base_ids` are the bytes of base symbols in hexadecimal. */
export interface IdSource extends RankedText {
  ids: ArrayLike<number>;
  base_ids: Record<string, number>;
  /** The ids of special tokens that are one symbol in the text, by their bytes in hexadecimal. */
  special_ids?: Record<string, number>;
  /** For each byte the id of the base symbol that ends there; empty if the bytes say it. */
  symbols?: Int32Array;
}

/** A pair that the person merged at a rank, or vetoed from there on. */
export interface Fork {
  rank: number;
  pair: [number, number];
  action: "merge" | "veto";
}

/** What Python sends of a run; see `pack_run` in bpeviz/browser. */
export interface Run extends IdSource {
  number: number;
  title: string;
  forks: Fork[];
  chosen: number[];
  chooser: string;
  /** The step from which on a pair is vetoed. */
  vetoed_from: number | null;
  start: number;
  /** When the player tells Python the step. */
  reports: "never" | "at rest" | "at rest and once painted";
  saves: boolean;
  autoplay: number;
  /** The step at which it stops playing by itself, if not the last. */
  until: number | null;
  guess: boolean;
  grows: boolean;
  /** What a lesson points at; empty for nothing. */
  spotlight: string;
  tie: "first-seen" | "smallest-ids" | "greatest-tokens" | "shortest-token" | null;
  order: string;
  /** The tokenizer that the run begins with; empty without one. */
  start_name: string;
  /** The rank of each merge in the start, -1 for a new one. */
  start_ranks?: Int32Array;
  /** Of each merge, how frequent its pair was among all pairs then: 1 for the most frequent. */
  pair_ranks?: Int32Array;
  /** The count of the most frequent pair then. */
  best_counts?: Float64Array;
  tie_sentence: string;
  stop_reason: string;
  num_merges: number;
  text_bytes: number;
  labels: Record<string, string>;
  ids: Int32Array;
  lefts: Int32Array;
  rights: Int32Array;
  tied: Int32Array;
  counts: Float64Array;
  totals: Float64Array;
  vocab_sizes: Int32Array;
}

/** The arguments with which Streamlit calls a component. */
export interface ComponentArguments<Data> {
  data: Data;
  parentElement: ShadowRoot;
  setStateValue(name: string, value: unknown): void;
  setTriggerValue(name: string, value: unknown): void;
}

/** The first byte in view, and how much of its block is above the view. */
export type Scrolled = (offset: number, share: number) => void;
