"""Every error of bpeviz, for code that calls it. BpevizError is the base of them all."""

from bpeviz.analysis.errors import NoTokenizerError
from bpeviz.base_error import BpevizError
from bpeviz.core.errors import TrainingSettingsError, UnspellableTextError
from bpeviz.corpus.errors import (
    ClusterError,
    CorpusTooLargeError,
    CountingError,
    CountsFileError,
    DaskUnavailableError,
    PackedCountsError,
)
from bpeviz.figures.errors import NoFigureError, PlayerFileError, PlayerOptionError
from bpeviz.formats.errors import (
    PretrainedUnavailableError,
    TokenizerFileError,
    UnknownFileFormatError,
    UnwritableTokenizerError,
)
from bpeviz.jobs.errors import TrainingProcessError
from bpeviz.lessons.errors import LessonError
from bpeviz.limits import ServerSettingError
from bpeviz.pipelines.errors import PipelineError
from bpeviz.sessions.errors import (
    DamagedSessionError,
    SavedSessionError,
    SessionChangedError,
    SessionTooLargeError,
    StorageError,
)
from bpeviz.text.errors import (
    CorpusError,
    FileEncodingError,
    LoneSurrogateError,
    SplitPatternBusyError,
    SplitPatternError,
)
from bpeviz.tokenizer.errors import (
    BareSpecialTokenError,
    BatchError,
    UnknownEncodingOrderError,
    UnknownSpecialTokenError,
    UnknownTokenError,
)
from bpeviz.training.errors import ChoiceError, PairNotFoundError, UnknownRecipeError

__all__ = [
    "BareSpecialTokenError",
    "BatchError",
    "BpevizError",
    "ChoiceError",
    "ClusterError",
    "CorpusError",
    "CorpusTooLargeError",
    "CountingError",
    "CountsFileError",
    "DamagedSessionError",
    "DaskUnavailableError",
    "FileEncodingError",
    "LessonError",
    "LoneSurrogateError",
    "NoFigureError",
    "NoTokenizerError",
    "PackedCountsError",
    "PairNotFoundError",
    "PipelineError",
    "PlayerFileError",
    "PlayerOptionError",
    "PretrainedUnavailableError",
    "SavedSessionError",
    "ServerSettingError",
    "SessionChangedError",
    "SessionTooLargeError",
    "SplitPatternBusyError",
    "SplitPatternError",
    "StorageError",
    "TokenizerFileError",
    "TrainingProcessError",
    "TrainingSettingsError",
    "UnknownEncodingOrderError",
    "UnknownFileFormatError",
    "UnknownRecipeError",
    "UnknownSpecialTokenError",
    "UnknownTokenError",
    "UnspellableTextError",
    "UnwritableTokenizerError",
]
