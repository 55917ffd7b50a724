"""A second, slow implementation of byte-level tokenizers: learns merges, and writes texts with their tokens.

    tokenizer_oracle.py FOLDER SEED    FOLDER/merges.txt, vocab.json in FOLDER/numbered, tokenizer.json, tokenizer_pairs.json,
                                       and texts: NAME.txt, NAME.tokens of 32 bits, by the numbers of merges.txt,
                                       NAME.numbered by those of vocab.json
"""
import functools
import json
import pathlib
import random
import re
import struct
import sys
import unicodedata

FOLDER, SEED = pathlib.Path(sys.argv[1]), int(sys.argv[2])
END = "<|endoftext|>"
MERGES = 250
WORDS = 300


SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))
PATTERN = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+", re.ASCII)


@functools.lru_cache(None)
def stand_in(character: str) -> str:
    """One of ASCII of the same kind."""
    if character in SPACES:
        return character if character == " " else "\n"
    if character.isascii():
        return "." if character.isspace() else character
    return {"L": "Q", "N": "0"}.get(unicodedata.category(character)[0], ".")


def pieces_of(text: str) -> list[str]:
    return [text[found.start():found.end()] for found in PATTERN.finditer("".join(map(stand_in, text)))]


def byte_characters() -> dict[int, str]:
    printable = [*range(0x21, 0x7f), *range(0xa1, 0xad), *range(0xae, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{byte: chr(byte) for byte in printable}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


CHARACTERS = byte_characters()


def merged(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    found, i = [], 0
    while i < len(symbols):
        whole = symbols[i:i + 2] == pair
        found.append("".join(pair) if whole else symbols[i])
        i += 2 if whole else 1
    return tuple(found)


def learn(text: str) -> list[tuple[str, str]]:
    counts: dict[tuple[str, ...], int] = {}
    for piece in pieces_of(text):
        symbols = tuple(CHARACTERS[byte] for byte in piece.encode())
        counts[symbols] = counts.get(symbols, 0) + 1
    merges = []
    while len(merges) < MERGES:
        pairs: dict[tuple[str, str], int] = {}
        for symbols, count in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        counts = {merged(symbols, best): count for symbols, count in counts.items()}
    return merges


def random_word(numbers: random.Random) -> str:
    alphabets = ["etaoinshrdlu", "ETAOINSHR", "0123456789", ".,;:!?'\"()[]{}-_=+*/\\|@#$%^&~`<>", "éàüñçøßæ", "абвгдежз", "日本語漢字仮名",
                 "אבגד", "٠١٢٣", "½²³ⅣⅫ①", "😀🎉👍", "\u0301\u0300", "­\u200b\ufeff", "\x00\x01\x7f\x1b"]
    return "".join(numbers.choice(numbers.choice(alphabets[:5] if numbers.random() < 0.8 else alphabets))
                   for _ in range(numbers.randint(1, 9)))


def random_text(numbers: random.Random, count: int, ends: bool) -> str:
    words = [*(random_word(numbers) for _ in range(WORDS)), "don't", "we'll", "I'm", "they're", "it's", "we've", "she'd", "'", "''s", "'S"]
    gaps = [" "] * 12 + ["  ", "\n", "\n\n", "\t", "   \n ", "\u3000", "\xa0 ", "", "", "'", " '", "\r\n", "\u2028\u2029", " " * 40]
    if ends:
        gaps += [END, " " + END + "\n", "<|endof", END + END, "  " + END]
    return "".join(numbers.choice(words) + numbers.choice(gaps) for _ in range(count))


class Tokenizer:
    def __init__(self, merges: list[tuple[str, str]]) -> None:
        self.ranks = {pair: i for i, pair in enumerate(merges)}
        tokens = [*CHARACTERS.values(), *("".join(pair) for pair in merges), END]
        self.numbers = {token: i for i, token in enumerate(tokens)}

    @functools.lru_cache(None)
    def of_piece(self, piece: str) -> list[str]:
        symbols = [CHARACTERS[byte] for byte in piece.encode()]
        while True:
            ranked = [(self.ranks[pair], i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in self.ranks]
            if not ranked:
                return symbols
            at = min(ranked)[1]
            symbols[at:at + 2] = ["".join(symbols[at:at + 2])]

    def of_text(self, text: str) -> list[str]:
        found: list[str] = []
        for i, part in enumerate(text.split(END)):
            found += [END] if i > 0 else []
            for piece in pieces_of(part):
                found += self.of_piece(piece)
        return found


def write_tokens(path: pathlib.Path, tokens: list[str], numbers: dict[str, int]) -> None:
    path.write_bytes(struct.pack(f"<{len(tokens)}i", *(numbers[token] for token in tokens)))


def write_json(path: pathlib.Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


numbers = random.Random(SEED)
sample = random_text(numbers, 1500, False)
merges = learn(sample)
tokenizer = Tokenizer(merges)
lines = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in merges)
shuffled = list(tokenizer.numbers)
numbers.shuffle(shuffled)
vocabulary = {token: i for i, token in enumerate(shuffled)}
(FOLDER / "merges.txt").write_text(lines, encoding="utf-8")
(FOLDER / "numbered").mkdir()
(FOLDER / "numbered" / "merges.txt").write_text(lines, encoding="utf-8")
write_json(FOLDER / "numbered" / "vocab.json", vocabulary)
without_end = {token: number for token, number in tokenizer.numbers.items() if token != END}
for name, listed in (("tokenizer.json", [" ".join(pair) for pair in merges]), ("tokenizer_pairs.json", [list(pair) for pair in merges])):
    write_json(FOLDER / name, {"normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
                               "model": {"type": "BPE", "dropout": None, "vocab": without_end, "merges": listed},
                               "added_tokens": [{"id": tokenizer.numbers[END], "content": END, "special": True}]})
texts = {"words": random_text(numbers, 3000, True), "learned": sample, "one": "a", "blanks": "  \n \t   ", "end": END,
         "long": "etaoin" * 500, "large": random_text(numbers, 3000, True) * 40}
for name, text in texts.items():
    (FOLDER / f"{name}.txt").write_bytes(text.encode())
    found = tokenizer.of_text(text)
    write_tokens(FOLDER / f"{name}.tokens", found, tokenizer.numbers)
    write_tokens(FOLDER / f"{name}.numbered", found, vocabulary)
