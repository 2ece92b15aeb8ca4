"""bpeviz: see, understand and compare byte-pair encoding.

The public names of the core. Data flows one way: text -> Corpus -> Trainer -> merges -> Tokenizer and
MergeHistory -> gap ranks. Neither streamlit nor plotly is imported here.
"""

from bpeviz import interrupts as _interrupts  # noqa: F401 - first: it answers Ctrl+C from here on
from bpeviz.compare import Comparison, compare, compare_merges
from bpeviz.corpus import Corpus
from bpeviz.errors import BpevizError
from bpeviz.fork import Choice, steps_with
from bpeviz.formats import storage as _storage  # noqa: F401 - for Tokenizer.save and Tokenizer.load
from bpeviz.history import MergeHistory, Overlaps
from bpeviz.pair_lives import PairLife
from bpeviz.pretrained import load_pretrained
from bpeviz.recipes import RECIPES, Recipe
from bpeviz.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, split
from bpeviz.tokenizer import Tokenizer, TraceStep
from bpeviz.trainer import MergeStep, Trainer, train, train_tokenizer

__version__ = "0.1.0"

__all__ = [
    "RECIPES",
    "SPLIT_PATTERNS",
    "BpevizError",
    "Choice",
    "Comparison",
    "Corpus",
    "MergeHistory",
    "MergeStep",
    "Overlaps",
    "PairLife",
    "Recipe",
    "SplitPattern",
    "Tokenizer",
    "TraceStep",
    "Trainer",
    "__version__",
    "compare",
    "compare_merges",
    "custom_split_pattern",
    "load_pretrained",
    "split",
    "steps_with",
    "train",
    "train_tokenizer",
]
