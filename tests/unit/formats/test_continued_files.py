"""Files of tokenizers with new merges: all else that they say stays, and the library reads them so."""

import json
from pathlib import Path

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from bpeviz import Corpus, Tokenizer, Trainer
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.continued_files import continued_files, takes_new_merges
from bpeviz.training.result import TrainingResult
from tests.support.tokenizer_files import tiny

TEXT = "Zorblat krimfex zorblatting krimfexes unzorblat, KRIMFEX. " * 6
OLD = "the cat in the hat and the hen on the mat sat with the other cat. " * 4


def of_library(path: Path) -> bytes:
    """A tokenizer.json that lowercases, with a special token before the merges, one after, and a template."""
    made = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<unk>"], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator([OLD], trainer)
    made.add_special_tokens(["<end>"])
    end = made.token_to_id("<end>")
    made.post_processor = processors.TemplateProcessing(single="$A <end>", special_tokens=[("<end>", end)])
    made.save(str(path))
    return path.read_bytes()


def continued(start: Tokenizer, num_merges: int = 9) -> TrainingResult:
    trainer = Trainer(Corpus.from_texts([TEXT]), start=start, num_merges=num_merges)
    for _ in trainer.steps():
        pass
    return trainer.result()


def new_merges(result: TrainingResult) -> list[tuple[tuple[int, int], int]]:
    return [(step.pair, step.token_id) for step in result.new_steps]


def test_a_tokenizer_json_keeps_its_normalizer_its_template_and_all_ids(tmp_path: Path) -> None:
    before = of_library(tmp_path / "tokenizer.json")
    start = Tokenizer.load(tmp_path / "tokenizer.json")
    assert start.pipeline is not None
    result = continued(start)
    files = continued_files({"tokenizer.json": before}, new_merges(result))
    old, new = (tokenizers.Tokenizer.from_str(data.decode()) for data in (before, files["tokenizer.json"]))
    ids = new.encode(TEXT).ids
    assert ids == [*result.tokenizer.encode(TEXT), old.token_to_id("<end>")]
    assert len(ids) < len(old.encode(TEXT).ids)
    assert {i: new.id_to_token(i) for i in range(old.get_vocab_size())} == {
        i: old.id_to_token(i) for i in range(old.get_vocab_size())
    }
    assert new.decode(ids) == old.decode(old.encode(TEXT).ids)
    values, others = json.loads(before), json.loads(files["tokenizer.json"])
    assert {k: v for k, v in values.items() if k != "model"} == {
        k: v for k, v in others.items() if k != "model"
    }


def test_the_new_tokenizer_decodes_as_the_library_of_the_new_file(tmp_path: Path) -> None:
    before = of_library(tmp_path / "tokenizer.json")
    result = continued(Tokenizer.load(tmp_path / "tokenizer.json"))
    (data,) = continued_files({"tokenizer.json": before}, new_merges(result)).values()
    library = tokenizers.Tokenizer.from_str(data.decode())
    ids = result.tokenizer.encode(TEXT)
    assert result.tokenizer.decode(ids) == library.decode(ids)


def test_other_files_are_refused() -> None:
    files = {"ranks.tiktoken": b"YQ== 0\nYg== 1\nYWI= 2\n"}
    assert not takes_new_merges(files)
    with pytest.raises(TokenizerFileError, match="Save it in another format"):
        continued_files(files, [])


def test_a_prefix_of_second_halves_is_refused() -> None:
    model = {"type": "BPE", "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1}, "merges": []}
    file = json.dumps({"version": "1.0", "model": model}).encode()
    with pytest.raises(TokenizerFileError, match="with a prefix"):
        continued_files({"tokenizer.json": file}, [((0, 1), 2)])


@pytest.mark.parametrize(
    "moved", [{"<end>": 50}, {"<s>": 1, "<end>": 7}, {"<s>": 90, "<end>": 20}, {"<s>": -3}]
)
def test_added_tokens_above_a_hole_keep_the_ids_that_the_library_gives_them(
    moved: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    of_library(path)
    made = tokenizers.Tokenizer.from_file(str(path))
    made.add_special_tokens(["<s>"])
    made.add_tokens(["covid"])
    file = json.loads(made.to_str())
    for token in file["added_tokens"]:
        token["id"] += moved.get(token["content"], 0)
    path.write_text(json.dumps(file), encoding="utf-8")
    old = tokenizers.Tokenizer.from_file(str(path))
    result = continued(Tokenizer.load(path))
    written = continued_files({path.name: path.read_bytes()}, new_merges(result))[path.name].decode()
    new = tokenizers.Tokenizer.from_str(written)
    for token in ("<unk>", "<s>", "<end>", "covid"):
        assert new.token_to_id(token) == old.token_to_id(token) == result.tokenizer.special_tokens[token]
    listed = {token["content"]: token["id"] for token in json.loads(written)["added_tokens"]}
    assert listed == {token: old.token_to_id(token) for token in listed}


SUFFIXES = ["aba aba abb ab", "ab ab ba ba aab aab", "abab abab ab ba abba"]


@pytest.mark.parametrize("text", SUFFIXES)
@pytest.mark.parametrize("suffix", ["</w>", "@", None])
def test_new_tokens_are_looked_up_as_whole_words_too(text: str, suffix: str | None, tmp_path: Path) -> None:
    ends = [letter + (suffix or "") for letter in "ab"]
    vocab = {token: i for i, token in enumerate(dict.fromkeys(["<unk>", "a", "b", *ends]))}
    model = {"end_of_word_suffix": suffix, "unk_token": "<unk>", "ignore_merges": True, "vocab": vocab}
    file = tiny({("added_tokens",): [], ("decoder",): None, ("pre_tokenizer",): {"type": "WhitespaceSplit"}})
    file["model"] |= {**model, "merges": []}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    trainer = Trainer(Corpus.from_texts([text]), start=Tokenizer.load(path), num_merges=3)
    new = [(step.pair, step.token_id) for step in trainer.steps() if step.token_id >= len(vocab)]
    written = continued_files({path.name: path.read_bytes()}, new)[path.name]
    library = tokenizers.Tokenizer.from_buffer(written)
    for word in ("ab", "ba", "aba", "abab", "aab", "b", f"ab{suffix}", f"a{suffix}", text):
        assert trainer.tokenizer().encode(word) == library.encode(word).ids, word
        assert trainer.tokenizer().decode_bytes(library.encode(word).ids)
