"""The public names of the core, which ``import bpeviz`` offers.

Data flows one way: text -> Corpus -> Trainer -> merges -> Tokenizer and MergeHistory -> gap ranks. Neither
streamlit nor plotly is imported here.
"""

from bpeviz import errors as errors  # noqa: PLC0414 - offered too
from bpeviz.analysis.compare import Comparison, compare
from bpeviz.analysis.tokenizer_metrics import TokenizerMetrics, tokenizer_metrics
from bpeviz.audit.audit import VocabularyAudit, audit_tokenizer
from bpeviz.core.pair_lives import PairLife
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.count_files import read_counts, write_counts
from bpeviz.corpus.dask_counting import corpus_from_dask
from bpeviz.errors import BpevizError
from bpeviz.formats import storage as _storage  # noqa: F401 - for Tokenizer.save and Tokenizer.load
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.merge_check.check import compare_merges
from bpeviz.merge_check.result import Cause, MergeCheck, PairCount
from bpeviz.standalone import showing as _showing  # noqa: F401 - for the method player, and notebooks
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, split
from bpeviz.tokenizer.encoder import TraceStep
from bpeviz.tokenizer.seam import EditReach, Seam, edit_reach, seam, tiktoken_seam
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.choice import Choice
from bpeviz.training.fork import steps_with
from bpeviz.training.history import MergeHistory, Overlaps
from bpeviz.training.in_one_call import train, train_tokenizer
from bpeviz.training.recipes import RECIPES, Recipe
from bpeviz.training.result import MergeStep
from bpeviz.training.trainer import Trainer

__all__ = [
    "RECIPES",
    "SPLIT_PATTERNS",
    "BpevizError",
    "Cause",
    "Choice",
    "Comparison",
    "Corpus",
    "EditReach",
    "MergeCheck",
    "MergeHistory",
    "MergeStep",
    "Overlaps",
    "PairCount",
    "PairLife",
    "Recipe",
    "Seam",
    "SplitPattern",
    "Tokenizer",
    "TokenizerMetrics",
    "TraceStep",
    "Trainer",
    "VocabularyAudit",
    "audit_tokenizer",
    "compare",
    "compare_merges",
    "corpus_from_dask",
    "custom_split_pattern",
    "edit_reach",
    "load_pretrained",
    "read_counts",
    "seam",
    "split",
    "steps_with",
    "tiktoken_seam",
    "tokenizer_metrics",
    "train",
    "train_tokenizer",
    "write_counts",
]
