"""Trainings that begin with the tokenizers that people use: they end as the tokenizer encodes, and go on as
bpe-continue does."""

import json
from collections import Counter
from pathlib import Path

import bpe_continue
import pytest
import tiktoken
import tokenizers
from sentencepiece import SentencePieceProcessor
from tiktoken.load import load_tiktoken_bpe

from bpeviz import Corpus, Tokenizer, Trainer, load_pretrained
from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.continued_files import continued_files
from bpeviz.formats.reading import read_tokenizer
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.training.result import TrainingResult
from bpeviz.training.start import byte_ids
from tests.support.final_tokens import tokens_in
from tests.support.made_tokenizers import llama2_like
from tests.support.real_tokenizers import CLAUDE_2, DEEPSEEK, MISTRAL_MODELS, REAL_TOKENIZERS

EACH = pytest.mark.parametrize("real", REAL_TOKENIZERS, ids=lambda real: real.model)
TEXT = "\n".join(read_sample(title) for title in SAMPLES if title != STANDARD_LIBRARY.title)
NEW = 60


def begun(start: Tokenizer, text: str, num_merges: int = 0) -> TrainingResult:
    trainer = Trainer(Corpus.from_texts([text]), "huggingface", start=start, num_merges=num_merges)
    for _ in trainer.steps():
        pass
    return trainer.result()


@pytest.mark.usefixtures("real_files")
@EACH
def test_a_run_ends_as_the_tokenizer_encodes_the_text(real):
    tokenizer = real.open()
    for text in (TEXT, read_sample(STANDARD_LIBRARY.title, 300_000)):
        result = begun(tokenizer, text)
        assert tokens_in(result, len(result.steps)) == Counter(tokenizer.encode(text))


@pytest.mark.usefixtures("real_files")
@EACH
def test_with_new_merges_it_ends_as_the_new_tokenizer_encodes_and_decodes(real):
    start = real.open()
    result = begun(start, TEXT, NEW)
    tokenizer = result.tokenizer
    ids = tokenizer.encode(TEXT)
    assert tokens_in(result, len(result.steps)) == Counter(ids)
    assert start.n_vocab <= max(ids) < start.n_vocab + NEW
    assert tokenizer.decode(ids) == start.decode(start.encode(TEXT))
    assert len(ids) < len(start.encode(TEXT))


@pytest.mark.parametrize("text", [TEXT, read_sample(STANDARD_LIBRARY.title, 300_000)], ids=["texts", "code"])
def test_new_merges_are_those_of_bpe_continue(text, tmp_path):
    start = load_pretrained("gpt2")
    start.save(tmp_path / "tokenizer.json")
    theirs = bpe_continue.continue_training(
        str(tmp_path / "tokenizer.json"), texts=[text], vocab_size=start.n_vocab + NEW, show_progress=False
    )
    merges = json.loads(theirs.to_str())["model"]["merges"][-NEW:]
    result = begun(start, text, NEW)

    def written(token_id: int) -> str:
        return "".join(GPT2_BYTE_CHARACTERS[byte] for byte in result.tokens[token_id])

    ours = [[*map(written, step.pair)] for step in result.new_steps]
    assert ours == [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]
    assert theirs.encode(text, add_special_tokens=False).ids == result.tokenizer.encode(text)


def test_saved_files_have_the_old_ids_in_the_libraries(tmp_path: Path):
    start = load_pretrained("gpt2")
    tokenizer = begun(start, TEXT, NEW).tokenizer
    tokenizer.save(tmp_path / "tokenizer.json")
    with pytest.warns(TokenizerFileWarning, match="The file holds no special tokens"):
        tokenizer.save(tmp_path / "gpt2-split.tiktoken", "tiktoken")
    ids = tokenizer.encode(TEXT)
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert library.encode(TEXT, add_special_tokens=False).ids == ids
    assert library.token_to_id("<|endoftext|>") == 50256
    ranks = load_tiktoken_bpe(str(tmp_path / "gpt2-split.tiktoken"))
    special = {"<|endoftext|>": 50256}
    encoding = tiktoken.Encoding(
        "more", pat_str=start.split.regex or "", mergeable_ranks=ranks, special_tokens=special
    )
    assert encoding.encode_ordinary(TEXT) == ids
    assert {i: token for token, i in ranks.items() if i < 50256} == {
        i: start.token_bytes(i) for i in range(50256)
    }


@pytest.mark.usefixtures("real_files")
@pytest.mark.parametrize("file", [DEEPSEEK, CLAUDE_2], ids=lambda file: file.path.split("/")[0])
def test_a_tokenizer_json_with_its_own_pipeline_takes_new_merges(file):
    start = read_tokenizer({file.name: file.read()})
    result = begun(start, TEXT, NEW)
    new = [(step.pair, step.token_id) for step in result.new_steps]
    (data,) = continued_files({file.name: file.read()}, new).values()
    before, after = (tokenizers.Tokenizer.from_buffer(each) for each in (file.read(), data))
    ids = after.encode(TEXT, add_special_tokens=False).ids
    assert ids == result.tokenizer.encode(TEXT)
    assert max(ids) >= start.n_vocab
    assert all(after.id_to_token(i) == before.id_to_token(i) for i in range(before.get_vocab_size()))
    assert after.decode(ids) == before.decode(before.encode(TEXT, add_special_tokens=False).ids)


@pytest.mark.usefixtures("real_files")
def test_a_sentencepiece_model_takes_new_merges():
    file = MISTRAL_MODELS["Mistral v1"]
    text = read_sample("English prose").replace("\n", " ")
    result = begun(read_tokenizer({file.name: file.read()}), text, NEW)
    new = [(step.pair, step.token_id) for step in result.new_steps]
    (data,) = continued_files({file.name: file.read()}, new).values()
    before, after = (SentencePieceProcessor(model_proto=each) for each in (file.read(), data))
    ids = after.encode(text)
    assert ids == result.tokenizer.encode(text)
    assert max(ids) >= before.vocab_size()
    assert all(after.id_to_piece(i) == before.id_to_piece(i) for i in range(before.vocab_size()))
    assert after.decode(ids) == before.decode(before.encode(text))


@pytest.mark.usefixtures("real_files")
@pytest.mark.parametrize("as_json", [False, True])
def test_bytes_of_characters_that_the_model_lacks_are_never_merged(as_json):
    model = MISTRAL_MODELS["Mistral v1"]
    name, file = ("tokenizer.json", llama2_like(model.read())) if as_json else (model.name, model.read())
    start = read_tokenizer({name: file})
    text = "zorblat\n\n\U0001fae0\U0001fae0 zorblat\n\n\U0001fae0\ua66ezorb " * 30
    result = begun(start, text, 20)
    single = byte_ids(start)
    assert len(single) == 256
    new = [(step.pair, step.token_id) for step in result.new_steps]
    assert 0 < len(new) < 20
    assert "would merge" in result.stop_reason
    assert single.isdisjoint(i for pair, _ in new for i in pair)
    (data,) = continued_files({name: file}, new).values()
    if as_json:
        library = tokenizers.Tokenizer.from_str(data.decode())
        ids = library.encode(text, add_special_tokens=False).ids
        assert library.decode(ids) == text
    else:
        ids = SentencePieceProcessor(model_proto=data).encode(text)
    assert ids == result.tokenizer.encode(text)
    assert max(ids) >= start.n_vocab


@pytest.mark.usefixtures("real_files")
def test_a_forced_merge_of_bytes_is_refused_for_a_sentencepiece_model():
    model = MISTRAL_MODELS["Mistral v1"]
    start = read_tokenizer({model.name: model.read()})
    trainer = Trainer(Corpus.from_texts(["\U0001fae0"]), "huggingface", start=start, num_merges=1)
    left, right = start.encode("\U0001fae0")[-2:]
    step = trainer.step((left, right))
    with pytest.raises(TokenizerFileError, match="which SentencePiece never merges"):
        continued_files({model.name: model.read()}, [(step.pair, step.token_id)])
