"""Words are encoded as SentencePiece encodes them, however long or strange they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jmem.embedders.bpe import Encoder

PIECES = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
PIECES += ["▁t", "he", "▁the", "in", "▁", "t", "h", "e", "i", "n", "g", "ing", "提", "."]
TABLE = {piece: number for number, piece in enumerate(PIECES)}


def spelled(word: str) -> list[str]:
    return [PIECES[number] for number in Encoder(TABLE).word(word)]


def test_neighbours_are_merged_in_the_order_in_which_the_pieces_were_learnt() -> None:
    assert spelled("the") == ["▁the"]
    assert spelled("thing") == ["▁t", "h", "ing"]  # "in" was learnt before "ing" could be


def test_a_character_that_is_no_piece_becomes_its_bytes() -> None:
    assert spelled("提é") == ["▁", "提", "<0xC3>", "<0xA9>"]


def test_marks_around_a_word_are_left_out_and_white_space_is_one_space() -> None:
    encoder = Encoder(TABLE)
    plain = encoder.words("the in.the")
    assert encoder.words("  `the`,\n\n — (in.the)! ▁") == plain
    assert [word for word, _ in plain] == ["the", "in.the"]


def test_a_word_without_end_takes_no_time_without_end() -> None:
    assert len(Encoder(TABLE).word("tin" * 20_000)) > 20_000


@given(st.text(max_size=40))
def test_any_text_has_an_encoding_that_spells_it(text: str) -> None:
    for word, numbers in Encoder(TABLE).words(text):
        if numbers[:1] != (TABLE["▁"],) and not PIECES[numbers[0]].startswith("▁"):
            raise AssertionError(word)
        found = b"".join(
            bytes([int(piece[3:5], 16)]) if piece.startswith("<0x") else piece.encode()
            for piece in (PIECES[number] for number in numbers)
        )
        assert found.decode() == "▁" + word.encode("utf-8", "replace").decode()
